package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"instanton/unit"
)

// fastaParser splits a FASTA file into letters, whatever the alphabet.
type fastaParser struct {
	keepInserts bool

	letters []byte // of all records, one after another
	names   []string
	passed  int // records passed on in earlier blocks and no longer in letters and names
	block   int // records of a block, if they are passed on in blocks
	pass    func() error
	width   int        // columns of the first record; 0 until it ends
	first   [256]place // where each letter occurs first

	start   int // index of the first letter of the current record
	column  int // characters of the current record so far, insert states included
	inserts bool
}

// place is a character of the file: its record and its column, both counted from 1.
type place struct {
	record, column int
	letter         byte
}

func (a place) before(b place) bool {
	return a.record < b.record || a.record == b.record && a.column < b.column
}

// maxHeader bounds the header of a record.
const maxHeader = 1 << 16

// parse reads all records.
func (p *fastaParser) parse(r *bufio.Reader) error {
	for line := 1; ; line++ {
		start, err := r.Peek(1)
		if err != nil {
			if err != io.EOF {
				return err
			}
			break
		}
		switch c := start[0]; {
		case c == '>':
			err = p.header(r)
		case c == ';', c == '#' && p.records() == 0:
			err = skipLine(r)
		case p.records() == 0:
			err = p.blank(r, line)
		default:
			err = p.sequence(r)
		}
		if err != nil {
			return err
		}
	}
	if p.records() == 0 {
		return errors.New("there is no record: expected headers that start with '>', and sequences")
	}
	return p.end()
}

// eachPart passes on a line in parts that fit the buffer.
func eachPart(r *bufio.Reader, do func(part []byte) error) error {
	for {
		part, err := r.ReadSlice('\n')
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return err
		}
		if e := do(part); e != nil {
			return e
		}
		if err != bufio.ErrBufferFull {
			return nil
		}
	}
}

func skipLine(r *bufio.Reader) error { return eachPart(r, func([]byte) error { return nil }) }

// blank accepts an empty line before the first record.
func (p *fastaParser) blank(r *bufio.Reader, line int) error {
	return eachPart(r, func(part []byte) error {
		if text := bytes.TrimSpace(part); len(text) > 0 {
			return fmt.Errorf("line %d starts with %q: expected a header that starts with '>' before any sequence",
				line, text[:min(len(text), 20)])
		}
		return nil
	})
}

// records is the number of records so far.
func (p *fastaParser) records() int { return p.passed + len(p.names) }

func (p *fastaParser) header(r *bufio.Reader) error {
	if len(p.names) > 0 {
		if err := p.end(); err != nil {
			return err
		}
	}
	if p.block > 0 && len(p.names) == p.block {
		if err := p.pass(); err != nil {
			return err
		}
		p.passed, p.letters, p.names = p.records(), p.letters[:0], p.names[:0]
	}
	var text []byte
	err := eachPart(r, func(part []byte) error {
		text = append(text, part...)
		if len(text) > maxHeader {
			return fmt.Errorf("the header of record %d is longer than %d bytes", p.records()+1, maxHeader)
		}
		return nil
	})
	p.names = append(p.names, oneLine(string(text[min(1, len(text)):])))
	p.start, p.column = len(p.letters), 0
	return err
}

// sequence reads a line of letters.
func (p *fastaParser) sequence(r *bufio.Reader) error {
	return eachPart(r, func(part []byte) error {
		for _, c := range part {
			switch {
			case c >= 'A' && c <= 'Z' || c == gap || c == '*':
			case c == ' ' || c == '\t' || c == '\r' || c == '\n':
				continue
			case c >= 'a' && c <= 'z':
				c -= 'a' - 'A'
				if !p.keepInserts {
					c = 0
				}
			case c == '.':
				c = gap
				if !p.keepInserts {
					c = 0
				}
			default:
				return fmt.Errorf("%s, column %d: %q is no letter of a sequence", p.current(), p.column+1, rune(c))
			}
			p.column++
			if c == 0 {
				p.inserts = true
				continue
			}
			if p.first[c].record == 0 {
				p.first[c] = place{p.records(), p.column, c}
			}
			p.letters = append(p.letters, c)
		}
		return p.tooLong()
	})
}

// tooLong stops reading as soon as a record has more columns than the first.
func (p *fastaParser) tooLong() error {
	switch width := len(p.letters) - p.start; {
	case p.width > 0 && width > p.width:
		return p.ragged("goes on after column %d: expected %d columns as in record 1", p.width, p.width)
	case width > unit.MaxUnits:
		return fmt.Errorf("%s has more than %d columns, which is over the limit", p.current(), unit.MaxUnits)
	}
	return nil
}

// end checks the record that has just been read.
func (p *fastaParser) end() error {
	switch width := len(p.letters) - p.start; {
	case width == 0 && p.column == 0:
		return fmt.Errorf("%s has no sequence: expected letters before the next header", p.current())
	case width == 0:
		return p.ragged("has no column")
	case p.width == 0:
		p.width = width
	case width < p.width:
		return p.ragged("ends after column %d: expected %d columns as in record 1", width, p.width)
	}
	return (unit.Spec{Type: unit.Potts, N: p.width, Q: 2}).CheckCount(len(p.names))
}

// ErrInserts is wrapped by the error for a record of the wrong length if some of its characters are insert states.
var ErrInserts = errors.New("lower case and '.' are insert states and make no column, unless they are kept")

// ragged is the error for a record of the wrong length.
func (p *fastaParser) ragged(format string, args ...any) error {
	err := fmt.Errorf("%s "+format, append([]any{p.current()}, args...)...)
	if p.inserts {
		err = fmt.Errorf("%w; %w", err, ErrInserts)
	}
	return err
}

// current names the current record.
func (p *fastaParser) current() string { return p.record(p.records()) }

// record names a record, which has not been passed on yet, by its number.
func (p *fastaParser) record(number int) string {
	if name := p.names[number-p.passed-1]; name != "" {
		return fmt.Sprintf("record %d (%.40q)", number, name)
	}
	return fmt.Sprintf("record %d", number)
}
