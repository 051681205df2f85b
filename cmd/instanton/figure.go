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

// figureOutput holds the flags of commands that can draw a figure of their results.
type figureOutput struct {
	path   string
	force  bool
	asJSON bool
}

// figureHelp describes the output of such commands.
const figureHelp = "The results are printed, as JSON with --json; -o draws a figure instead."

func (f *figureOutput) flags(c *cobra.Command) {
	c.Flags().StringVarP(&f.path, "output", "o", "",
		"draw a figure to this file (.png, .svg or .pdf) instead of printing the results")
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

// show draws the figure, or prints JSON or text.
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
