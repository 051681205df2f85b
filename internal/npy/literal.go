package npy

import (
	"fmt"
	"strconv"
	"strings"
)

// header is what the Python dict at the head of a .npy file says.
type header struct {
	descr   string
	fortran bool
	shape   []int
}

// parseHeader reads the dict literal, strictly: each of the three keys once, in
// any order, and nothing else but white space.
func parseHeader(text string) (header, error) {
	p := &literal{text: text}
	h, err := p.header()
	if _, ok := err.(unsupportedError); ok {
		return header{}, err
	}
	if err != nil {
		return header{}, fmt.Errorf("the header is malformed: %w", err)
	}
	return h, nil
}

// literal is a cursor over the few Python literals that headers are made of.
type literal struct {
	text string
	at   int
}

func (p *literal) header() (header, error) {
	var h header
	if err := p.expect('{'); err != nil {
		return h, err
	}
	seen := map[string]bool{}
	for !p.accept('}') {
		key, err := p.quoted()
		if err != nil {
			return h, err
		}
		if seen[key] {
			return h, fmt.Errorf("the key '%s' occurs twice", key)
		}
		seen[key] = true
		if err := p.expect(':'); err != nil {
			return h, err
		}
		switch key {
		case "descr":
			h.descr, err = p.descr()
		case "fortran_order":
			h.fortran, err = p.boolean()
		case "shape":
			h.shape, err = p.tuple()
		default:
			err = fmt.Errorf("unknown key %q: expected 'descr', 'fortran_order' and 'shape'", key)
		}
		if err != nil {
			return h, err
		}
		if !p.accept(',') {
			if err := p.expect('}'); err != nil {
				return h, err
			}
			break
		}
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return h, fmt.Errorf("the key '%s' is missing", key)
		}
	}
	if p.skipSpace(); p.at < len(p.text) {
		return h, p.unexpected("nothing after the dict")
	}
	return h, nil
}

// descr is a quoted dtype. A list or a tuple there describes records.
func (p *literal) descr() (string, error) {
	if p.accept('[') || p.accept('(') {
		return "", errStructured
	}
	return p.quoted()
}

func (p *literal) quoted() (string, error) {
	p.skipSpace()
	if p.at == len(p.text) || (p.text[p.at] != '\'' && p.text[p.at] != '"') {
		return "", p.unexpected("a quoted string")
	}
	body := p.text[p.at+1:]
	end := strings.IndexByte(body, p.text[p.at])
	if end < 0 || strings.ContainsAny(body[:end], "\\\n") {
		return "", p.unexpected("a plain string with a closing quote")
	}
	p.at += end + 2
	return body[:end], nil
}

func (p *literal) boolean() (bool, error) {
	p.skipSpace()
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "True"):
		p.at += len("True")
		return true, nil
	case strings.HasPrefix(rest, "False"):
		p.at += len("False")
		return false, nil
	}
	return false, p.unexpected("True or False")
}

// tuple is a shape: (), (3,), (3, 4) or (3, 4,). As in Python, (3) is no tuple.
func (p *literal) tuple() ([]int, error) {
	if err := p.expect('('); err != nil {
		return nil, err
	}
	shape := []int{}
	for !p.accept(')') {
		d, err := p.dimension()
		if err != nil {
			return nil, err
		}
		shape = append(shape, d)
		if p.accept(',') {
			continue
		}
		if len(shape) == 1 {
			return nil, p.unexpected("',' as in (3,)")
		}
		if err := p.expect(')'); err != nil {
			return nil, err
		}
		break
	}
	return shape, nil
}

func (p *literal) dimension() (int, error) {
	p.skipSpace()
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	digits := p.text[start:p.at]
	switch {
	case digits == "" && strings.HasPrefix(p.text[start:], "-"):
		return 0, fmt.Errorf("the shape has a negative dimension at byte %d", start)
	case digits == "":
		return 0, p.unexpected("a dimension")
	case len(digits) > 1 && digits[0] == '0':
		return 0, fmt.Errorf("the dimension %.24s starts with a zero", digits)
	}
	d, err := strconv.Atoi(digits)
	if err != nil {
		return 0, fmt.Errorf("the shape overflows: a dimension of %.24s", digits)
	}
	return d, nil
}

// accept steps over c if it comes next.
func (p *literal) accept(c byte) bool {
	p.skipSpace()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *literal) expect(c byte) error {
	if !p.accept(c) {
		return p.unexpected("'" + string(c) + "'")
	}
	return nil
}

func (p *literal) skipSpace() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *literal) unexpected(want string) error {
	if p.at >= len(p.text) {
		return fmt.Errorf("it ends where %s was expected", want)
	}
	const glimpse = 12
	found := p.text[p.at:min(p.at+glimpse, len(p.text))]
	return fmt.Errorf("found %q at byte %d, where %s was expected", found, p.at, want)
}
