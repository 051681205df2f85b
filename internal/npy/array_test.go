package npy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func ExampleNew() {
	w := New([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	fmt.Println(w.Shape, w.Len(), w.Dtype())
	fmt.Println(New([]bool{true, false}).Shape)
	// Output:
	// [2 3] 6 <f4
	// [2]
}

func TestDtypeAndLen(t *testing.T) {
	for code, data := range sampleData(3) {
		a := Array{Shape: []int{3}, Data: data}
		want := "<" + code
		if strings.HasSuffix(code, "1") {
			want = "|" + code
		}
		if a.Dtype() != want || a.Len() != 3 {
			t.Errorf("%s: dtype %q and length %d, want %q and 3", code, a.Dtype(), a.Len(), want)
		}
	}
	stranger := Array{Data: []string{"a"}}
	if stranger.Dtype() != "" || stranger.Len() != 0 {
		t.Errorf("strings: dtype %q and length %d, want none", stranger.Dtype(), stranger.Len())
	}
}

func TestScalar(t *testing.T) {
	a := Scalar(int16(-7))
	if len(a.Shape) != 0 || a.Len() != 1 || a.check() != nil {
		t.Errorf("Scalar(-7) = %v", a)
	}
}

func TestNewKeepsItsOwnShape(t *testing.T) {
	shape := []int{2, 3}
	a := New(make([]uint8, 6), shape...)
	shape[0] = 99
	if !slices.Equal(a.Shape, []int{2, 3}) {
		t.Errorf("shape %v changed with the caller's slice", a.Shape)
	}
}

func TestNewPanicsOnWrongShape(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("New accepted 3 elements as a 2 by 2 matrix")
		}
	}()
	New([]float64{1, 2, 3}, 2, 2)
}

func TestCheckRefuses(t *testing.T) {
	tests := []struct {
		array Array
		want  string
	}{
		{Array{Shape: []int{1}, Data: []string{"a"}}, "cannot hold a []string"},
		{Array{Shape: []int{1}, Data: 3.0}, "cannot hold a float64"},
		{Array{Shape: []int{1}}, "cannot hold a <nil>"},
		{Array{Shape: []int{2, 2}, Data: []int8{1, 2, 3}}, "shape (2, 2) has 4 elements, but the data has 3"},
		{Array{Data: []int8{}}, "shape () has 1 elements, but the data has 0"},
		{Array{Shape: []int{-1}, Data: []int8{}}, "shape (-1,) has a negative dimension"},
		{Array{Shape: []int{math.MaxInt, 2}, Data: []int8{}}, "overflows"},
		{Array{Shape: []int{0, math.MaxInt, 2}, Data: []int8{}}, "overflows"},
		{Array{Shape: []int{math.MaxInt / 4}, Data: []float64{}}, "overflows"},
		{Array{Shape: slices.Repeat([]int{1}, 33), Data: []int8{1}}, "33 dimensions: at most 32"},
	}
	for _, tt := range tests {
		err := tt.array.check()
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v %T: %v, want %q", tt.array.Shape, tt.array.Data, err, tt.want)
		}
	}
}
