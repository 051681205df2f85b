package verdict

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Table is data: a CSV file, and a table of the report where Shown.
type Table struct {
	Name    string
	Caption string
	Header  []string
	Rows    [][]any // numbers and strings
	Shown   bool
}

// Add appends a row.
func (t *Table) Add(row ...any) { t.Rows = append(t.Rows, row) }

// Check refuses rows that do not fit the header.
func (t *Table) Check() error {
	for k, row := range t.Rows {
		if len(row) != len(t.Header) {
			return fmt.Errorf("row %d of table %q has %d cells and its header %d", k+1, t.Name, len(row), len(t.Header))
		}
	}
	return nil
}

// write writes CSV with every digit.
func (t *Table) write(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(t.Header); err != nil {
		return err
	}
	cells := make([]string, len(t.Header))
	for _, row := range t.Rows {
		for k, x := range row {
			cells[k] = cell(x, -1)
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// short are the rows as figure.json has them for the report, which rounds them.
func (t *Table) short() [][]string {
	rows := make([][]string, len(t.Rows))
	for k, row := range t.Rows {
		for _, x := range row {
			rows[k] = append(rows[k], cell(x, 6))
		}
	}
	return rows
}

// cell writes a number or text with so many digits, −1 for all.
func cell(x any, digits int) string {
	if f, ok := x.(float64); ok {
		return strconv.FormatFloat(f, 'g', digits, 64)
	}
	return fmt.Sprint(x)
}

// tableDigits is the number of digits of table cells without an error.
const tableDigits = 5

// typeset writes a row for people. A column whose header speaks of an error belongs to the
// one before it: errors have two digits, values end where their errors do.
func typeset(header, row []string) []string {
	out := make([]string, len(row))
	for k := range row {
		x, err := strconv.ParseFloat(row[k], 64)
		if err != nil {
			out[k] = row[k]
			continue
		}
		out[k] = Number(x, tableDigits)
		if k == 0 || !isError(header[k]) || isError(header[k-1]) || x <= 0 {
			continue
		}
		if value, err := strconv.ParseFloat(row[k-1], 64); err == nil {
			if max(math.Abs(value), x) < smallest {
				out[k-1], out[k] = Number(value, 2), Number(x, 2)
			} else {
				out[k-1], out[k] = withError(value, x)
			}
		}
	}
	return out
}

func isError(header string) bool { return strings.Contains(header, "error") }
