package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"instanton/internal/npy"
	"instanton/internal/special"
	"instanton/unit"
)

// table is a text file of numbers: one configuration per line, with values separated by commas, semicolons, tabs or
// spaces. A first line without numbers names the columns; those called label (or class) and weight are not units.
type table struct {
	values     values
	rows       int
	labels     []int
	labelNames []string
	weights    []float64

	separator byte // 0 for any white space
	columns   int
	label     int // which column, or −1
	weight    int
	classes   []string
}

// maxLine bounds a line of a table.
const maxLine = 1 << 28

// ReadTable reads a table of numbers; see docs/formats.md.
func ReadTable(r io.Reader) (*Dataset, error) {
	b := bufio.NewReader(r)
	skipMark(b)
	t, err := readTable(b, 0)
	if err != nil {
		return nil, err
	}
	c := content{array: t.array(), about: Dataset{Labels: t.labels, LabelNames: t.labelNames, Weights: t.weights}}
	return c.dataset()
}

func readTable(r *bufio.Reader, room int) (*table, error) {
	t := &table{values: newValues(room), label: -1, weight: -1}
	var buffer []byte
	for line := 1; ; line++ {
		text, err := readLine(r, buffer[:0])
		buffer = text
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("line %d %w", line, err)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '#' {
			if e := t.add(text, line); e != nil {
				return nil, e
			}
		}
		if err == io.EOF {
			break
		}
	}
	if t.rows == 0 {
		return nil, errors.New("there is no line of numbers: expected one configuration per line")
	}
	if t.label >= 0 {
		t.labels, t.labelNames = number(t.classes)
	}
	return t, nil
}

// readLine appends a line of at most maxLine bytes.
func readLine(r *bufio.Reader, text []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > maxLine:
			return nil, fmt.Errorf("is too long: expected at most %d bytes", maxLine)
		case err != bufio.ErrBufferFull:
			return text, err
		}
	}
}

// add reads a line of numbers, or of names if it is the first.
func (t *table) add(text []byte, line int) error {
	if t.columns == 0 {
		if err := t.begin(text, line); err != nil || t.hasHeader(text) {
			return err
		}
	}
	n := 0
	for field := range t.fields(text) {
		if n >= t.columns {
			return fmt.Errorf("line %d goes on after column %d: expected %d columns as in the first line", line,
				t.columns, t.columns)
		}
		if err := t.field(field, n, line); err != nil {
			return err
		}
		n++
	}
	if n < t.columns {
		return fmt.Errorf("line %d ends after column %d: expected %d columns as in the first line", line, n, t.columns)
	}
	t.rows++
	return nil
}

// begin determines the separator and the meaning of the columns from the first line.
func (t *table) begin(text []byte, line int) error {
	for _, c := range []byte{',', ';', '\t'} {
		if t.separator == 0 && bytes.IndexByte(text, c) >= 0 {
			t.separator = c
		}
	}
	header := t.hasHeader(text)
	for field := range t.fields(text) {
		if header {
			none := -1 // a unit
			at := &none
			switch strings.ToLower(string(field)) {
			case "label", "labels", "class":
				at = &t.label
			case "weight", "weights":
				at = &t.weight
			}
			if *at >= 0 {
				return fmt.Errorf("line %d, column %d is %q again: expected one column of labels and one of weights",
					line, t.columns+1, field)
			}
			*at = t.columns
		}
		t.columns++
	}
	units := t.columns
	if t.label >= 0 {
		units--
	}
	if t.weight >= 0 {
		units--
	}
	if units < 1 || units > unit.MaxUnits {
		return fmt.Errorf("line %d has %d columns of values: expected between 1 and %d", line, units, unit.MaxUnits)
	}
	return nil
}

// hasHeader reports whether a line names columns: none of its fields is a number.
func (t *table) hasHeader(text []byte) bool {
	for field := range t.fields(text) {
		if _, err := strconv.ParseFloat(string(field), 64); err == nil || len(field) == 0 {
			return false
		}
	}
	return true
}

// fields iterates over the fields of a line, with their quotes removed.
func (t *table) fields(text []byte) func(yield func([]byte) bool) {
	next := bytes.FieldsSeq(text)
	if t.separator != 0 {
		next = bytes.SplitSeq(text, []byte{t.separator})
	}
	return func(yield func([]byte) bool) {
		for field := range next {
			field = bytes.TrimSpace(field)
			if n := len(field); n >= 2 && field[0] == '"' && field[n-1] == '"' {
				field = field[1 : n-1]
			}
			if !yield(field) {
				return
			}
		}
	}
}

// field reads one field of a line.
func (t *table) field(field []byte, column, line int) error {
	if column == t.label {
		if len(field) == 0 {
			return fmt.Errorf("line %d, column %d: the label is missing", line, column+1)
		}
		t.classes = append(t.classes, string(field))
		return nil
	}
	x, ok := digit(field)
	if !ok {
		var err error
		x, err = strconv.ParseFloat(string(field), 64)
		if err != nil || !special.Finite(x) {
			return fmt.Errorf("line %d, column %d: %.20q is not a finite number", line, column+1, field)
		}
		if math.Abs(x) > math.MaxFloat32 {
			return fmt.Errorf("line %d, column %d: %.20q is too large: expected at most %.4g", line, column+1, field,
				math.MaxFloat32)
		}
	}
	if column == t.weight {
		t.weights = append(t.weights, x)
	} else {
		t.values.add(x)
	}
	return nil
}

// digit reads a single-digit integer, which nearly all values are.
func digit(field []byte) (x float64, ok bool) {
	sign := 1.0
	if len(field) == 2 && field[0] == '-' {
		sign, field = -1, field[1:]
	}
	if len(field) != 1 || field[0] < '0' || field[0] > '9' {
		return 0, false
	}
	return sign * float64(field[0]-'0'), true
}

// array returns the values as an array of configurations by units.
func (t *table) array() npy.Array { return t.values.array(t.rows) }
