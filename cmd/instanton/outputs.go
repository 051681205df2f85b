package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instanton/internal/atomicfile"
	"instanton/plot"
)

// outputs holds the flags of commands that write tables and figures: the ending of a name says which.
type outputs struct {
	paths  []string
	force  bool
	asJSON bool

	endings []string
}

// flags adds -o for files with the given endings, and --json.
func (o *outputs) flags(c *cobra.Command, endings ...string) {
	o.endings = endings
	c.Flags().StringArrayVarP(&o.paths, "output", "o", nil,
		"file to write instead of printing, "+o.words()+"; may be repeated")
	c.Flags().BoolVar(&o.force, "force", false, "replace output files that exist")
	c.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON object per line")
}

// words lists the endings.
func (o *outputs) words() string {
	last := len(o.endings) - 1
	if last == 0 {
		return o.endings[0]
	}
	return strings.Join(o.endings[:last], ", ") + " or " + o.endings[last]
}

// check refuses files that cannot be written, before the work is done.
func (o *outputs) check(inputs ...string) error {
	for k, path := range o.paths {
		if !slices.Contains(o.endings, ending(path)) {
			return usage(fmt.Errorf("output %q: expected a name that ends in %s", path, o.words()))
		}
		if slices.Contains(o.paths[:k], path) {
			return usage(fmt.Errorf("output %q is given twice", path))
		}
		if err := (&output{path: path}).notAnInput(inputs...); err != nil {
			return err
		}
		if err := atomicfile.Check(path, o.force); err != nil {
			return err
		}
	}
	return nil
}

func ending(path string) string { return strings.ToLower(filepath.Ext(path)) }

// wantsFigure tells whether a figure is to be drawn.
func (o *outputs) wantsFigure() bool { return slices.ContainsFunc(o.paths, isFigure) }

func isFigure(path string) bool {
	return slices.Contains(plot.Formats(), strings.TrimPrefix(ending(path), "."))
}

// write writes all files: figures by draw, others by what is given for their ending.
func (o *outputs) write(c *cobra.Command, draw func() (plot.Figure, error),
	files map[string]func(w io.Writer) error) error {
	for _, path := range o.paths {
		fill := files[ending(path)]
		if isFigure(path) {
			figure, err := draw()
			if err != nil {
				return err
			}
			fill = func(w io.Writer) error { return figure.Encode(w, strings.TrimPrefix(ending(path), ".")) }
		}
		if err := atomicfile.Write(path, o.force, fill); err != nil {
			return err
		}
		say(c, "%s written", path)
	}
	return nil
}

// jsonLines writes values to standard output, one per line.
func jsonLines[T any](c *cobra.Command, values []T) error {
	w, flush := standardOutput(c)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, v := range values {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return flush()
}

// csvTable writes a header and rows.
func csvTable(header []string, rows func(yield func([]string) bool)) func(w io.Writer) error {
	return func(w io.Writer) error {
		out := csv.NewWriter(w)
		out.Write(header)
		for row := range rows {
			out.Write(row)
		}
		out.Flush()
		return out.Error()
	}
}

// exactly writes a number with all its digits.
func exactly(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// readable reports whether a file can be opened, before work that needs it.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}
