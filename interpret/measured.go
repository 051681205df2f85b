package interpret

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Measurement is the measured effect of a mutant.
type Measurement struct {
	Mutant string // as in the table
	Value  float64
}

// ReadMeasurements reads a table in CSV with a column of mutants, such as A12C:D15E, and one of numbers. The first
// line names the columns. Mutants are in the column called mutant, mutation, mutations or variant, otherwise in the
// first one; the numbers are in the given column or, if column is empty, in the one called DMS_score, score, fitness,
// effect or value, otherwise in the second. Lines without a number are left out.
func ReadMeasurements(r io.Reader, column string) ([]Measurement, error) {
	in := csv.NewReader(r)
	in.Comment, in.FieldsPerRecord, in.TrimLeadingSpace = '#', -1, true
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("there is no header: %w", err)
	}
	mutant := find(header, 0, "mutant", "mutation", "mutations", "variant")
	value := -1
	if column != "" {
		if value = find(header, -1, column); value < 0 {
			return nil, fmt.Errorf("there is no column %q: expected one of %s", column, strings.Join(header, ", "))
		}
	} else {
		value = find(header, 1, "DMS_score", "score", "fitness", "effect", "value")
	}
	if value == mutant || max(value, mutant) >= len(header) {
		return nil, fmt.Errorf("the header is %q: expected a column of mutants and another of numbers",
			strings.Join(header, ","))
	}
	var all []Measurement
	for {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(record) <= max(mutant, value) {
			continue
		}
		text := strings.TrimSpace(record[value])
		if text == "" || strings.EqualFold(text, "na") || strings.EqualFold(text, "nan") {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			line, _ := in.FieldPos(value)
			return nil, fmt.Errorf("line %d has %q in the column %q: expected a number", line, text, header[value])
		}
		all = append(all, Measurement{strings.TrimSpace(record[mutant]), x})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the column %q has no numbers", header[value])
	}
	return all, nil
}

// find is the place of the first of the names that a header has, in any case, or otherwise.
func find(header []string, otherwise int, names ...string) int {
	for _, name := range names {
		k := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
		if k >= 0 {
			return k
		}
	}
	return otherwise
}
