package paper

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
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

// AddColumns appends the rows of columns that are equally long.
func (t *Table) AddColumns(columns ...[]float64) {
	for k := range columns[0] {
		row := make([]any, len(columns))
		for c := range columns {
			row[c] = columns[c][k]
		}
		t.Rows = append(t.Rows, row)
	}
}

// check refuses rows that do not fit the header.
func (t *Table) check() error {
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

// short are the rows as the report shows them.
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
