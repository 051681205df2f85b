package dataset

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteCSV writes one configuration per line. If there are labels or weights, a first line names the columns: v1 to
// vN, label and weight.
func WriteCSV(w io.Writer, d *Dataset) error {
	if err := d.Check(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if d.Labels != nil || d.Weights != nil {
		for i := range d.States.N {
			fmt.Fprintf(b, "v%d,", i+1)
		}
		var names []string
		if d.Labels != nil {
			names = append(names, "label")
		}
		if d.Weights != nil {
			names = append(names, "weight")
		}
		b.WriteString(strings.Join(names, ",") + "\n")
	}
	var line []byte
	for k := range d.States.Len {
		line = line[:0]
		for i := range d.States.N {
			if i > 0 {
				line = append(line, ',')
			}
			if x := d.States.Value(k, i); d.States.Type.Discrete() {
				line = strconv.AppendInt(line, int64(x), 10)
			} else {
				line = strconv.AppendFloat(line, x, 'g', -1, 32)
			}
		}
		if d.Labels != nil {
			line = append(append(line, ','), csvField(d.LabelName(d.Labels[k]))...)
		}
		if d.Weights != nil {
			line = strconv.AppendFloat(append(line, ','), d.Weights[k], 'g', -1, 64)
		}
		b.Write(append(line, '\n'))
	}
	return b.Flush()
}

// csvField makes a name fit in one field.
func csvField(name string) string {
	return strings.NewReplacer(",", "_", "\n", "_", "\r", "_", `"`, "").Replace(name)
}
