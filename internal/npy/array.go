// Package npy reads and writes numpy's array files: a single array as .npy, and
// several named arrays with other files beside them as .npz, which is a zip of
// .npy members.
//
// Files may come from anywhere, so nothing is trusted: every error says what
// was found and what was expected, and no header can make the reader allocate
// more than the input can fill. Pickled Python objects are never loaded.
package npy

import (
	"fmt"
	"slices"
)

// Element is the set of element types that an [Array] can hold.
type Element interface {
	float64 | float32 | int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | bool
}

// Array is an n-dimensional array in C order: the last index runs fastest.
// Data is a slice of one of the types of [Element], as long as the product of
// Shape. An empty Shape is numpy's 0-d array, a single number.
type Array struct {
	Shape []int
	Data  any
}

// New returns the array of data with the given shape, or the vector of len(data)
// numbers if no shape is given. The data are not copied. New panics if shape and
// data do not match.
func New[T Element](data []T, shape ...int) Array {
	if len(shape) == 0 {
		shape = []int{len(data)}
	}
	a := Array{Shape: slices.Clone(shape), Data: data}
	if err := a.check(); err != nil {
		panic("npy.New: " + err.Error())
	}
	return a
}

// Scalar is the 0-d array that holds x.
func Scalar[T Element](x T) Array {
	return Array{Shape: []int{}, Data: []T{x}}
}

// Len is the number of elements in Data, and 0 when Data is of no [Element] type.
func (a Array) Len() int {
	if v, ok := asVector(a.Data); ok {
		return v.len()
	}
	return 0
}

// Dtype is numpy's name of the element type as it is written to a file, such as
// "<f4" or "|b1". It is empty when Data is of no [Element] type.
func (a Array) Dtype() string {
	if v, ok := asVector(a.Data); ok {
		return v.dtype()
	}
	return ""
}

// check tells whether the array can be written.
func (a Array) check() error {
	v, ok := asVector(a.Data)
	if !ok {
		return fmt.Errorf("an array cannot hold a %T: expected a slice of numbers or bools", a.Data)
	}
	count, err := countElements(a.Shape, v.itemSize())
	if err != nil {
		return err
	}
	if count != v.len() {
		return fmt.Errorf("shape %s has %d elements, but the data has %d", shapeText(a.Shape), count, v.len())
	}
	return nil
}
