package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"instanton/unit"
)

// FASTAOptions say how an alignment is read.
type FASTAOptions struct {
	// Alphabet assigns codes to letters. If it is empty, it is chosen by the letters that occur: DNA or RNA if these
	// are exactly the four bases, otherwise protein; with the gap first if there are gaps.
	Alphabet string
	// KeepInserts reads lower case as upper case and '.' as a gap. Otherwise both are insert states, as in a2m and a3m
	// files, and belong to no column.
	KeepInserts bool
	// Unknown says how to treat letters outside the alphabet.
	Unknown Unknown
}

// Unknown says how to treat letters outside the alphabet, such as X and B in proteins.
type Unknown int

// The ways to treat unknown letters.
const (
	RefuseUnknown Unknown = iota // stop reading with an error
	UnknownAsGap                 // read them as gaps
	DropUnknown                  // leave out their records
)

// ParseUnknown reads refuse, gap or drop.
func ParseUnknown(text string) (Unknown, error) {
	for u, name := range []string{"refuse", "gap", "drop"} {
		if text == name {
			return Unknown(u), nil
		}
	}
	return 0, fmt.Errorf("unknown letters %q: expected refuse, gap or drop", text)
}

// ReadFASTA reads an alignment: records of a header line that starts with '>' and a sequence on any number of lines,
// all with the same number of columns. Lines that start with ';' and, before the first record, with '#' are comments.
// If every header ends in " class=NAME", these are the labels.
func ReadFASTA(r io.Reader, o FASTAOptions) (*Dataset, error) {
	b := bufio.NewReader(r)
	skipMark(b)
	return readFASTA(b, o, 0)
}

// readFASTA is ReadFASTA with memory for the given number of letters allocated at once.
func readFASTA(r *bufio.Reader, o FASTAOptions, room int) (*Dataset, error) {
	p := &fastaParser{keepInserts: o.KeepInserts, letters: make([]byte, 0, min(room, 1<<30))}
	if err := p.parse(r); err != nil {
		return nil, err
	}
	alphabet, err := p.alphabet(o)
	if err != nil {
		return nil, err
	}
	if err := p.encode(alphabet, o.Unknown); err != nil {
		return nil, err
	}
	spec := unit.Spec{Type: unit.Potts, N: p.width, Q: len(alphabet)}
	if err := spec.Check(); err != nil {
		return nil, err
	}
	d := &Dataset{
		States:   &unit.States{Spec: spec, Len: len(p.names), Stride: spec.N, Codes: p.letters},
		Names:    p.names,
		Alphabet: alphabet,
	}
	d.classesFromNames()
	return d, nil
}

// alphabet is the one asked for, or the smallest of the usual ones that has all letters that occur.
func (p *fastaParser) alphabet(o FASTAOptions) (string, error) {
	if o.Alphabet != "" {
		if err := checkAlphabet(o.Alphabet); err != nil {
			return "", err
		}
		if o.Unknown == UnknownAsGap && strings.IndexByte(o.Alphabet, gap) < 0 {
			return "", fmt.Errorf("the alphabet %q has no gap, which unknown letters were to be read as", o.Alphabet)
		}
		return o.Alphabet, nil
	}
	letters := Protein
	for _, bases := range []string{DNA, RNA} {
		if p.only(bases) {
			letters = bases
		}
	}
	if p.occurs(gap) || o.Unknown == UnknownAsGap && p.firstOutside(letters) != nil {
		letters = string(gap) + letters
	}
	return letters, nil
}

// only reports whether all the bases occur, and no other letter except N, which stands for any base.
func (p *fastaParser) only(bases string) bool {
	for c := byte('A'); c <= 'Z'; c++ {
		if isBase := strings.IndexByte(bases, c) >= 0; isBase != p.occurs(c) && !(c == 'N' && !isBase) {
			return false
		}
	}
	return true
}

func (p *fastaParser) occurs(c byte) bool { return p.first[c].record > 0 }

// firstOutside is the first occurrence of a letter that is not among the given ones, or nil.
func (p *fastaParser) firstOutside(letters string) *place {
	var first *place
	for c := range p.first {
		at := &p.first[c]
		if at.record > 0 && strings.IndexByte(letters, byte(c)) < 0 && (first == nil || at.before(*first)) {
			first = at
		}
	}
	return first
}

// ErrOutsideAlphabet is wrapped by the error for a letter outside the alphabet if such letters are refused.
var ErrOutsideAlphabet = errors.New("is not in the alphabet")

// encode replaces letters by codes in place.
func (p *fastaParser) encode(alphabet string, unknown Unknown) error {
	if at := p.firstOutside(alphabet); at != nil && unknown == RefuseUnknown {
		return fmt.Errorf("%s, column %d: %q %w %q", p.record(at.record), at.column, at.letter, ErrOutsideAlphabet,
			alphabet)
	}
	const drop = 0xff // larger than every code
	var code [256]byte
	for c := range code {
		code[c] = drop
		if a := strings.IndexByte(alphabet, byte(c)); a >= 0 {
			code[c] = byte(a)
		} else if unknown == UnknownAsGap {
			code[c] = byte(strings.IndexByte(alphabet, gap))
		}
	}
	kept := 0
	for k := range p.names {
		row := p.letters[k*p.width : (k+1)*p.width]
		bad := false
		for i, c := range row {
			row[i] = code[c]
			bad = bad || row[i] == drop
		}
		if !bad {
			copy(p.letters[kept*p.width:], row)
			p.names[kept] = p.names[k]
			kept++
		}
	}
	if kept == 0 {
		return fmt.Errorf("all %d records have letters outside the alphabet %q", len(p.names), alphabet)
	}
	p.letters, p.names = p.letters[:kept*p.width], p.names[:kept]
	return nil
}
