package pickle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// run follows the instructions until STOP.
func (m *machine) run() (any, error) {
	for {
		op, err := m.take(1)
		if err != nil {
			return nil, err
		}
		if op[0] == '.' {
			return m.pop()
		}
		if err := m.step(op[0]); err != nil {
			return nil, err
		}
	}
}

// step follows one instruction. Those of Python's pickletools that are missing here are refused.
func (m *machine) step(op byte) error {
	var err error
	switch op {
	case 0x80: // PROTO
		_, err = m.take(1)
	case 0x95: // FRAME
		_, err = m.take(8)
	case '(':
		m.marks = append(m.marks, len(m.stack))
	case '0':
		if len(m.stack) == m.floor() && len(m.marks) > 0 {
			m.marks = m.marks[:len(m.marks)-1]
		} else {
			_, err = m.pop()
		}
	case '1':
		_, err = m.sinceMark()
	case '2':
		var v any
		if v, err = m.top(); err == nil {
			m.push(v)
		}
	case 'N':
		m.push(nil)
	case 0x88:
		m.push(true)
	case 0x89:
		m.push(false)
	case 'I', 'L', 'F', 'S', 'V', 'J', 'K', 'M', 0x8a, 0x8b, 'G':
		err = m.scalar(op)
	case 'U', 'T', 'X', 0x8c, 0x8d, 'C', 'B', 0x8e, 0x96:
		err = m.text(op)
	case ']':
		m.push(&List{})
	case '}':
		m.push(&Dict{map[string]any{}})
	case ')':
		m.push(Tuple(nil))
	case 'l', 't', 'd', 'a', 'e', 's', 'u', 0x85, 0x86, 0x87:
		err = m.collect(op)
	case 'p', 'q', 'r', 0x94, 'g', 'h', 'j':
		err = m.remember(op)
	case 'c', 0x93, 'R', 0x81, 0x92, 'i', 'o', 'b', 'Q':
		err = m.object(op)
	default:
		err = fmt.Errorf("instruction %#x is not followed here: expected numbers, lists, dictionaries and objects", op)
	}
	return err
}

// scalar reads a number, or text on a line of its own.
func (m *machine) scalar(op byte) error {
	switch op {
	case 'J':
		n, err := m.number(4)
		m.push(int64(int32(n)))
		return err
	case 'K', 'M':
		n, err := m.number(map[byte]uint64{'K': 1, 'M': 2}[op])
		m.push(int64(n))
		return err
	case 0x8a, 0x8b:
		b, err := m.sized(map[byte]uint64{0x8a: 1, 0x8b: 4}[op])
		m.push(long(b))
		return err
	case 'G':
		b, err := m.take(8)
		if err == nil {
			m.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
		}
		return err
	}
	text, err := m.line()
	if err != nil {
		return err
	}
	switch op {
	case 'I', 'L':
		switch text {
		case "00", "01":
			m.push(text == "01")
			return nil
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(text, "L"), 10, 64)
		m.push(n)
		return err
	case 'F':
		x, err := strconv.ParseFloat(text, 64)
		m.push(x)
		return err
	case 'V':
		m.push(rawUnicode(text))
		return nil
	}
	s, err := quoted(text)
	m.push(s)
	return err
}

// rawUnicode undoes Python's raw-unicode-escape.
func rawUnicode(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+5 < len(text) && text[i+1] == 'u' {
			if c, err := strconv.ParseUint(text[i+2:i+6], 16, 32); err == nil {
				b.WriteRune(rune(c))
				i += 5
				continue
			}
		}
		b.WriteRune(rune(text[i])) // Latin-1
	}
	return b.String()
}

// quoted undoes Python's repr of a byte string; the characters of the result are its bytes.
func quoted(text string) (string, error) {
	n := len(text)
	if n < 2 || text[0] != text[n-1] || text[0] != '\'' && text[0] != '"' {
		return "", errors.New("it is damaged: a string has no quotes")
	}
	text = text[1 : n-1]
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' || i+1 == len(text) {
			out = append(out, c)
			continue
		}
		i++
		switch text[i] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'x':
			if i+2 >= len(text) {
				return "", errors.New("it is damaged: a string ends in an escape")
			}
			x, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
			if err != nil {
				return "", err
			}
			out = append(out, byte(x))
			i += 2
		default:
			out = append(out, text[i])
		}
	}
	return string(out), nil
}

// text reads a string or bytes with a length in front.
func (m *machine) text(op byte) error {
	width := uint64(4)
	switch op {
	case 'U', 0x8c, 'C':
		width = 1
	case 0x8d, 0x8e, 0x96:
		width = 8
	}
	b, err := m.sized(width)
	if err != nil {
		return err
	}
	switch op {
	case 'C', 'B', 0x8e, 0x96:
		m.push(b)
	default:
		m.push(string(b))
	}
	return nil
}

// collect builds lists, tuples and dictionaries.
func (m *machine) collect(op byte) error {
	var values []any
	var err error
	switch op {
	case 0x85, 0x86, 0x87:
		values, err = m.last(int(op) - 0x84)
	case 'a':
		values, err = m.last(1)
	case 's':
		values, err = m.last(2)
	default:
		values, err = m.sinceMark()
	}
	if err != nil {
		return err
	}
	switch op {
	case 'l':
		m.push(&List{values})
	case 't', 0x85, 0x86, 0x87:
		m.push(Tuple(values))
	case 'd':
		d := &Dict{map[string]any{}}
		m.push(d)
		setItems(d.Items, values)
	case 'a', 'e':
		return m.appendTo(values)
	case 's', 'u':
		target, err := m.top()
		if err != nil {
			return err
		}
		switch d := target.(type) {
		case *Dict:
			setItems(d.Items, values)
		case *Object:
			if d.Items == nil {
				d.Items = map[string]any{}
			}
			setItems(d.Items, values)
		default:
			return errors.New("it is damaged: entries are set in something that is not a dictionary")
		}
	}
	return nil
}

func (m *machine) appendTo(values []any) error {
	target, err := m.top()
	if err != nil {
		return err
	}
	l, ok := target.(*List)
	if !ok {
		return errors.New("it is damaged: values are appended to something that is not a list")
	}
	l.Items = append(l.Items, values...)
	return nil
}

func setItems(to map[string]any, values []any) {
	for k := 0; k+1 < len(values); k += 2 {
		switch key := values[k].(type) {
		case string:
			to[key] = values[k+1]
		case []byte:
			to[string(key)] = values[k+1]
		}
	}
}

// remember stores the value on top, or brings one back.
func (m *machine) remember(op byte) error {
	key := int64(len(m.memo))
	switch op {
	case 'p', 'g':
		text, err := m.line()
		if err != nil {
			return err
		}
		if key, err = strconv.ParseInt(text, 10, 64); err != nil {
			return err
		}
	case 'q', 'h', 'r', 'j':
		width := uint64(4)
		if op == 'q' || op == 'h' {
			width = 1
		}
		n, err := m.number(width)
		if err != nil {
			return err
		}
		key = int64(n)
	}
	switch op {
	case 'g', 'h', 'j':
		v, ok := m.memo[key]
		if !ok {
			return errStack
		}
		m.push(v)
		return nil
	}
	v, err := m.top()
	m.memo[key] = v
	return err
}

// object records classes, calls and states.
func (m *machine) object(op byte) error {
	switch op {
	case 'c', 'i':
		module, err := m.line()
		if err != nil {
			return err
		}
		name, err := m.line()
		if err != nil {
			return err
		}
		if op == 'c' {
			return m.class(module, name)
		}
		args, err := m.sinceMark()
		if err != nil {
			return err
		}
		if err := m.class(module, name); err != nil {
			return err
		}
		class, _ := m.pop()
		return m.make(class, args)
	case 0x93:
		names, err := m.last(2)
		if err != nil {
			return err
		}
		module, ok := names[0].(string)
		name, ok2 := names[1].(string)
		if !ok || !ok2 {
			return errStack
		}
		return m.class(module, name)
	case 'o':
		values, err := m.sinceMark()
		if err != nil || len(values) == 0 {
			return errStack
		}
		return m.make(values[0], values[1:])
	case 'R', 0x81, 0x92:
		n := 2
		if op == 0x92 {
			n = 3 // with named arguments, which no model has
		}
		values, err := m.last(n)
		if err != nil {
			return err
		}
		args, ok := values[1].(Tuple)
		if !ok {
			return errors.New("it is damaged: the arguments of a call are no tuple")
		}
		return m.make(values[0], args)
	case 'Q':
		id, err := m.pop()
		m.push(&Reference{id})
		return err
	}
	return m.build()
}

// build sets the state of an object.
func (m *machine) build() error {
	state, err := m.pop()
	if err != nil {
		return err
	}
	target, err := m.top()
	if err != nil {
		return err
	}
	switch o := target.(type) {
	case *Object:
		o.State = state
		if m.Inline == nil {
			return nil
		}
		n, err := m.Inline(o, m.data[m.at:])
		if err != nil {
			return err
		}
		_, err = m.take(uint64(n))
		return err
	case *Reference, Class:
		return nil
	}
	return errors.New("it is damaged: a state is given to something that is not an object")
}
