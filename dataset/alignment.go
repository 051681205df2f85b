package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"instanton/unit"
)

// Alignments in the Stockholm, Clustal and PHYLIP formats, in which a sequence may be spread over blocks. They are put
// together in memory and go on as FASTA, so that alphabets, insert states and errors are the same for all.

// alignmentFormat tells which of these formats a file has by its first lines, or returns nil.
func alignmentFormat(head []byte) func(r *bufio.Reader) (*alignment, error) {
	switch {
	case bytes.HasPrefix(head, []byte("# STOCKHOLM")):
		return readStockholm
	case bytes.HasPrefix(head, []byte("CLUSTAL")), bytes.HasPrefix(head, []byte("MUSCLE (")):
		return readClustal
	}
	lines := strings.SplitN(string(head), "\n", 3)
	if len(lines) < 2 {
		return nil
	}
	if _, _, ok := phylipHeader(lines[0]); ok {
		fields := strings.Fields(lines[1])
		// A table of numbers may also start with two of them.
		if len(fields) > 0 && strings.ContainsFunc(fields[len(fields)-1], isLetter) {
			return readPHYLIP
		}
	}
	return nil
}

func isLetter(c rune) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

// alignment is a list of named sequences.
type alignment struct {
	names []string
	rows  [][]byte
	index map[string]int
}

// add appends letters to the sequence of that name.
func (a *alignment) add(name string, letters []byte) {
	k, ok := a.index[name]
	if !ok {
		if a.index == nil {
			a.index = map[string]int{}
		}
		k = len(a.rows)
		a.index[name] = k
		a.names, a.rows = append(a.names, name), append(a.rows, nil)
	}
	a.rows[k] = append(a.rows[k], letters...)
}

// fasta writes the alignment as FASTA.
func (a *alignment) fasta() (*bytes.Buffer, error) {
	if len(a.rows) == 0 {
		return nil, errors.New("the alignment has no sequence")
	}
	var b bytes.Buffer
	for k, row := range a.rows {
		if len(row) != len(a.rows[0]) {
			return nil, fmt.Errorf("sequence %q has %d columns: expected %d as in %q", a.names[k], len(row),
				len(a.rows[0]), a.names[0])
		}
		b.WriteString(">" + a.names[k] + "\n")
		b.Write(row)
		b.WriteByte('\n')
	}
	return &b, nil
}

// eachLine passes on the lines of a text without their ends, counted from 1.
func eachLine(r *bufio.Reader, do func(line int, text []byte) error) error {
	var buffer []byte
	for line := 1; ; line++ {
		text, err := readLine(r, buffer[:0])
		if err != nil && err != io.EOF {
			return fmt.Errorf("line %d %w", line, err)
		}
		buffer = text
		if e := do(line, bytes.TrimRight(text, " \t\r\n")); e != nil {
			return e
		}
		if err == io.EOF {
			return nil
		}
	}
}

var errLastLine = errors.New("the alignment has ended")

// readStockholm reads the first alignment of a file; lines that start with '#' say more about it and are left out.
func readStockholm(r *bufio.Reader) (*alignment, error) {
	a := &alignment{}
	err := eachLine(r, func(line int, text []byte) error {
		switch {
		case len(text) == 0 || text[0] == '#':
			return nil
		case string(text) == "//":
			return errLastLine
		}
		name, letters, err := nameAndLetters(line, text)
		if err == nil {
			a.add(name, letters)
		}
		return err
	})
	switch {
	case err == nil:
		return nil, errors.New("the alignment does not end with a line //: it is truncated")
	case err != errLastLine:
		return nil, err
	}
	return a, nil
}

// readClustal reads blocks of lines with a name, letters and perhaps their number; lines that start with a blank show
// which columns are conserved.
func readClustal(r *bufio.Reader) (*alignment, error) {
	a := &alignment{}
	err := eachLine(r, func(line int, text []byte) error {
		if line == 1 || len(text) == 0 || text[0] == ' ' || text[0] == '\t' {
			return nil
		}
		name, letters, err := nameAndLetters(line, text)
		if err == nil {
			a.add(name, letters)
		}
		return err
	})
	return a, err
}

// nameAndLetters splits a line; a number at its end counts the letters so far.
func nameAndLetters(line int, text []byte) (string, []byte, error) {
	fields := bytes.Fields(text)
	if n := len(fields); n == 3 {
		if _, err := strconv.Atoi(string(fields[2])); err == nil {
			fields = fields[:2]
		}
	}
	if len(fields) != 2 {
		return "", nil, fmt.Errorf("line %d: expected a name and a part of its sequence", line)
	}
	return string(fields[0]), fields[1], nil
}

// phylipHeader reads the number of sequences and of columns.
func phylipHeader(text string) (count, columns int, ok bool) {
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return 0, 0, false
	}
	count, err := strconv.Atoi(fields[0])
	columns, err2 := strconv.Atoi(fields[1])
	return count, columns, err == nil && err2 == nil && count > 0 && columns > 0 && columns <= unit.MaxUnits
}

// readPHYLIP reads names that end at a blank, or that take ten characters, with sequences in blocks or one after
// another, whichever makes the numbers of the first line true.
func readPHYLIP(r *bufio.Reader) (*alignment, error) {
	var lines []string
	count, columns := 0, 0
	err := eachLine(r, func(line int, text []byte) error {
		if line == 1 {
			count, columns, _ = phylipHeader(string(text))
		} else if len(bytes.TrimSpace(text)) > 0 {
			lines = append(lines, string(text))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, strict := range []bool{false, true} {
		for _, arrange := range []func([]string, int, int, bool) *alignment{phylipBlocks, phylipSequences} {
			if a := arrange(lines, count, columns, strict); a != nil {
				return a, nil
			}
		}
	}
	return nil, fmt.Errorf("the first line promises %d sequences of %d columns, but the lines that follow are not that",
		count, columns)
}

// phylipName splits a name from the letters behind it.
func phylipName(line string, strict bool) (name, letters string) {
	if strict {
		at := min(10, len(line))
		return strings.TrimSpace(line[:at]), line[at:]
	}
	line = strings.TrimLeft(line, " \t")
	if at := strings.IndexAny(line, " \t"); at >= 0 {
		return line[:at], line[at:]
	}
	return line, ""
}

// phylipBlocks takes every count lines as a block; only the first has names.
func phylipBlocks(lines []string, count, columns int, strict bool) *alignment {
	if len(lines) < count || len(lines)%count != 0 {
		return nil
	}
	a := &alignment{}
	for k, line := range lines {
		if k < count {
			var name string
			name, line = phylipName(line, strict)
			a.names, a.rows = append(a.names, name), append(a.rows, nil)
		}
		row := &a.rows[k%count]
		if *row = append(*row, strings.Join(strings.Fields(line), "")...); len(*row) > columns {
			return nil
		}
	}
	for _, row := range a.rows {
		if len(row) != columns {
			return nil
		}
	}
	return a
}

// phylipSequences takes lines until a sequence is complete.
func phylipSequences(lines []string, count, columns int, strict bool) *alignment {
	a := &alignment{}
	for len(lines) > 0 {
		name, line := phylipName(lines[0], strict)
		var row []byte
		for k := 0; ; k++ {
			if row = append(row, strings.Join(strings.Fields(line), "")...); len(row) >= columns || k+1 == len(lines) {
				lines = lines[k+1:]
				break
			}
			line = lines[k+1]
		}
		if len(row) != columns {
			return nil
		}
		a.names, a.rows = append(a.names, name), append(a.rows, row)
	}
	if len(a.rows) != count {
		return nil
	}
	return a
}
