package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"instanton/internal/atomicfile"
	"instanton/plot"
)

// figureOutput holds the flags of commands that can draw what they report.
type figureOutput struct {
	path   string
	force  bool
	asJSON bool
}

func (f *figureOutput) flags(c *cobra.Command) {
	c.Flags().StringVarP(&f.path, "output", "o", "", "figure to draw instead (.png, .svg or .pdf)")
	c.Flags().BoolVar(&f.force, "force", false, "replace the figure if it exists")
	jsonFlag(c, &f.asJSON)
}

// check refuses a figure that cannot be written, before the work is done.
func (f *figureOutput) check() error {
	if f.path == "" {
		return nil
	}
	if _, err := f.format(); err != nil {
		return usage(err)
	}
	return atomicfile.Check(f.path, f.force)
}

func (f *figureOutput) format() (string, error) {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.path)), ".")
	for _, known := range plot.Formats() {
		if format == known {
			return format, nil
		}
	}
	return "", fmt.Errorf("figure %q: expected a name that ends in .%s", f.path, strings.Join(plot.Formats(), ", ."))
}

// show draws the figure, or writes JSON, or the text.
func (f *figureOutput) show(c *cobra.Command, value any, draw func() (plot.Figure, error),
	text func(w io.Writer)) error {
	switch {
	case f.path != "":
		figure, err := draw()
		if err != nil {
			return err
		}
		format, err := f.format()
		if err != nil {
			return err
		}
		return atomicfile.Write(f.path, f.force, func(w io.Writer) error { return figure.Encode(w, format) })
	case f.asJSON:
		return printJSON(c, value)
	}
	out := bufio.NewWriter(c.OutOrStdout()) // keeps the first error
	text(out)
	return out.Flush()
}
