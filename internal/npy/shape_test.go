package npy

import (
	"math"
	"slices"
	"testing"
)

func TestCountElements(t *testing.T) {
	tests := []struct {
		shape []int
		want  int
	}{
		{nil, 1},
		{[]int{0}, 0},
		{[]int{7}, 7},
		{[]int{2, 3, 4}, 24},
		{[]int{5, 0, 9}, 0},
		{slices.Repeat([]int{1}, maxRank), 1},
		{[]int{math.MaxInt / 8}, math.MaxInt / 8},
	}
	for _, tt := range tests {
		if got, err := countElements(tt.shape, 8); got != tt.want || err != nil {
			t.Errorf("%v: %d, %v, want %d", tt.shape, got, err, tt.want)
		}
	}
}

func TestShapeText(t *testing.T) {
	for want, shape := range map[string][]int{"()": nil, "(3,)": {3}, "(3, 4)": {3, 4}, "(0, 1, 2)": {0, 1, 2}} {
		if got := shapeText(shape); got != want {
			t.Errorf("%v: %q, want %q", shape, got, want)
		}
	}
}
