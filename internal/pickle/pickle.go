// Package pickle reads Python's pickles without running anything. A pickle is a program that may call any function;
// here only the instructions that build numbers, strings, lists, dictionaries and objects are followed, and an object
// is a record of its class, its arguments and its state. A class that the caller does not know is refused by name.
package pickle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Values are nil, bool, int64, float64, string, []byte, Tuple, *List, *Dict, Class and *Object.
type (
	// Tuple is a Python tuple.
	Tuple []any
	// List is a Python list.
	List struct{ Items []any }
	// Dict is a Python dictionary; entries whose key is not a string are left out.
	Dict struct{ Items map[string]any }
	// Class is a class or a function, by module and name, as in "numpy.dtype".
	Class string
	// Object is what a call of a class or of a function would have made.
	Object struct {
		Class Class
		Args  []any
		State any
		Items map[string]any // set like those of a dictionary
	}
	// Reference is an object that the pickle keeps elsewhere (a persistent id).
	Reference struct{ ID any }
)

// Reader reads pickles.
type Reader struct {
	// Knows reports whether a class may occur.
	Knows func(Class) bool
	// Inline, if set, is offered every object whose state has just been set, with the bytes that follow. It returns how
	// many of these belong to the object, as joblib writes arrays.
	Inline func(o *Object, rest []byte) (int, error)
}

// Read reads one pickle and returns its value and the number of bytes it took.
func (r Reader) Read(data []byte) (any, int, error) {
	m := &machine{Reader: r, data: data, memo: map[int64]any{}}
	v, err := m.run()
	if err != nil {
		return nil, 0, fmt.Errorf("byte %d of the pickle: %w", m.at, err)
	}
	return v, m.at, nil
}

type machine struct {
	Reader
	data  []byte
	at    int
	stack []any
	marks []int
	memo  map[int64]any
}

var (
	errEnd   = errors.New("it ends too early")
	errStack = errors.New("it is damaged: a value is missing")
)

// take returns the next n bytes.
func (m *machine) take(n uint64) ([]byte, error) {
	if n > uint64(len(m.data)-m.at) {
		return nil, errEnd
	}
	b := m.data[m.at : m.at+int(n)]
	m.at += int(n)
	return b, nil
}

// sized returns as many bytes as a length of the given width in front of them says.
func (m *machine) sized(width uint64) ([]byte, error) {
	n, err := m.number(width)
	if err != nil {
		return nil, err
	}
	return m.take(n)
}

func (m *machine) number(width uint64) (uint64, error) {
	b, err := m.take(width)
	if err != nil {
		return 0, err
	}
	var full [8]byte
	copy(full[:], b)
	return binary.LittleEndian.Uint64(full[:]), nil
}

// line returns the text up to the end of the line.
func (m *machine) line() (string, error) {
	for k := m.at; k < len(m.data); k++ {
		if m.data[k] == '\n' {
			text := string(m.data[m.at:k])
			m.at = k + 1
			return text, nil
		}
	}
	return "", errEnd
}

func (m *machine) push(v any) { m.stack = append(m.stack, v) }

// floor is where the values of the innermost mark begin; they may not be taken by instructions after it.
func (m *machine) floor() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

func (m *machine) pop() (any, error) {
	if len(m.stack) <= m.floor() {
		return nil, errStack
	}
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v, nil
}

func (m *machine) top() (any, error) {
	if len(m.stack) <= m.floor() {
		return nil, errStack
	}
	return m.stack[len(m.stack)-1], nil
}

// sinceMark takes the values since the last mark.
func (m *machine) sinceMark() ([]any, error) {
	if len(m.marks) == 0 {
		return nil, errStack
	}
	lo := m.marks[len(m.marks)-1]
	m.marks = m.marks[:len(m.marks)-1]
	values := append([]any(nil), m.stack[lo:]...)
	m.stack = m.stack[:lo]
	return values, nil
}

// last takes the n values on top.
func (m *machine) last(n int) ([]any, error) {
	if len(m.stack)-n < m.floor() {
		return nil, errStack
	}
	values := append([]any(nil), m.stack[len(m.stack)-n:]...)
	m.stack = m.stack[:len(m.stack)-n]
	return values, nil
}

// class checks that a class is known.
func (m *machine) class(module, name string) error {
	c := Class(module + "." + name)
	if !m.Knows(c) {
		return fmt.Errorf("it names %q, which is no part of a model that is known here; nothing was run", c)
	}
	m.push(c)
	return nil
}

// make records a call.
func (m *machine) make(class any, args []any) error {
	c, ok := class.(Class)
	if !ok {
		return errors.New("it is damaged: a call of something that is not a class")
	}
	if c == "_codecs.encode" { // how Python 3 writes bytes for Python 2
		if len(args) > 0 {
			if text, ok := args[0].(string); ok {
				b, err := latin1(text)
				m.push(b)
				return err
			}
		}
		return errors.New("it is damaged: bytes are not text")
	}
	m.push(&Object{Class: c, Args: args})
	return nil
}

// latin1 turns characters below 256 into bytes.
func latin1(text string) ([]byte, error) {
	b := make([]byte, 0, len(text))
	for _, c := range text {
		if c > 255 {
			return nil, errors.New("it is damaged: a byte is larger than 255")
		}
		b = append(b, byte(c))
	}
	return b, nil
}

// long decodes a whole number of any length; those beyond 64 bits become floating-point numbers.
func long(b []byte) any {
	if len(b) == 0 {
		return int64(0)
	}
	negative := b[len(b)-1]&0x80 != 0
	if len(b) <= 8 {
		full := [8]byte{}
		if negative {
			full = [8]byte{255, 255, 255, 255, 255, 255, 255, 255}
		}
		copy(full[:], b)
		return int64(binary.LittleEndian.Uint64(full[:]))
	}
	x := 0.0
	for k := len(b) - 1; k >= 0; k-- {
		x = x*256 + float64(b[k])
	}
	if negative {
		x -= math.Ldexp(1, 8*len(b))
	}
	return x
}
