package npy

import (
	"fmt"
	"io"
	"slices"
)

// stream is an array that is made while it is written.
type stream struct {
	size  int64 // as a .npy file
	write func(w io.Writer) error
}

// RowsMember is an array under the given name that is never in memory as a whole:
// fill makes its row k, over the last dimension of the shape, each time it is written. It
// panics if the shape has no dimensions or its size does not fit an int.
func RowsMember[T Element](name string, fill func(k int, row []T), shape ...int) Member {
	count, err := countElements(shape, sizeOf[T]())
	if err == nil && len(shape) == 0 {
		err = fmt.Errorf("a shape without dimensions has no rows")
	}
	if err != nil {
		panic("npy.RowsMember: " + err.Error())
	}
	v, _ := asVector([]T(nil))
	head := encodeHeader(v.dtype(), slices.Clone(shape))
	width := shape[len(shape)-1]
	return Member{name: name, stream: &stream{
		size: int64(len(head)) + int64(count)*int64(sizeOf[T]()),
		write: func(w io.Writer) error {
			if _, err := w.Write(head); err != nil || count == 0 {
				return err
			}
			row := make([]T, width)
			v, _ := asVector(row)
			for k := range count / width {
				fill(k, row)
				if err := v.write(w); err != nil {
					return err
				}
			}
			return nil
		},
	}}
}

// WriteMember writes the array of a member as a .npy file.
func WriteMember(w io.Writer, m Member) error {
	if !m.isArray() {
		return fmt.Errorf("file %q is not an array", m.name)
	}
	if m.array != nil {
		return Write(w, *m.array)
	}
	return m.content(w)
}
