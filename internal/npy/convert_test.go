package npy

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestFloatsOfEveryType(t *testing.T) {
	const n = 8
	for code, data := range sampleData(n) {
		want := make([]float64, n)
		for i := range want {
			v := int64(i)*37 - 50
			switch code { // wrap as the type does
			case "i1":
				v = int64(int8(v))
			case "u1":
				v = int64(uint8(v))
			case "u2":
				v = int64(uint16(v))
			}
			want[i] = float64(v)
			if code == "b1" {
				want[i] = float64(1 - min(i%3, 1))
			}
		}
		a := Array{Shape: []int{n}, Data: data}
		if code == "u4" || code == "u8" { // the wrapped ones are too large for some; see below
			a.Data = sampleData(0)[code]
			want = want[:0]
		}
		f64, err := a.Float64s()
		if err != nil || !slices.Equal(f64, want) {
			t.Errorf("%s: %v, %v, want %v", code, f64, err, want)
		}
		f32, err := a.Float32s()
		if err != nil || len(f32) != len(want) {
			t.Fatalf("%s as float32: %v, %v", code, f32, err)
		}
		for i, x := range f32 {
			if float64(x) != want[i] {
				t.Errorf("%s: element %d is %v as float32, want %v", code, i, x, want[i])
			}
		}
	}
}

func TestFloatsOfTheOwnTypeAreNotCopied(t *testing.T) {
	d64, d32 := []float64{1}, []float32{1}
	f64, _ := New(d64).Float64s()
	f32, _ := New(d32).Float32s()
	if &f64[0] != &d64[0] || &f32[0] != &d32[0] {
		t.Error("the data was copied")
	}
}

func TestLargeIntegersAreExactOrRefused(t *testing.T) {
	tests := []struct {
		data     any
		f64, f32 string // part of the refusal, or empty when exact
	}{
		{[]int64{1 << 24, -(1 << 24)}, "", ""},
		{[]int64{1<<24 + 1}, "", "element 0 is 16777217, which float32 cannot hold exactly"},
		{[]int32{0, -(1<<24 + 1)}, "", "element 1 is -16777217, which float32"},
		{[]uint32{math.MaxUint32}, "", "4294967295"},
		{[]int64{1 << 53}, "", ""},
		{[]int64{1<<53 + 1}, "element 0 is 9007199254740993, which float64 cannot hold exactly", "float32"},
		{[]int64{1<<53 + 2}, "", "float32"},
		{[]int64{math.MinInt64}, "", ""},
		{[]int64{math.MaxInt64}, "float64", "float32"},
		{[]uint64{1 << 63}, "", ""},
		{[]uint64{math.MaxUint64}, "18446744073709551615", "float32"},
	}
	for _, tt := range tests {
		a := Array{Shape: []int{1}, Data: tt.data}
		_, err64 := a.Float64s()
		_, err32 := a.Float32s()
		wantRefusal(t, err64, tt.f64)
		wantRefusal(t, err32, tt.f32)
	}
}

func TestFloat32sRounds(t *testing.T) {
	got, err := New([]float64{0.1, 1e-60, math.Inf(-1), math.NaN()}).Float32s()
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != 0.1 || got[1] != 0 || !math.IsInf(float64(got[2]), -1) || got[3] == got[3] {
		t.Errorf("rounded to %v", got)
	}
	_, err = New([]float64{1, -1e39}).Float32s()
	wantRefusal(t, err, "element 1 is -1e+39, which is too large for float32")
}

func TestFloatsOfAStranger(t *testing.T) {
	_, err := Array{Data: []string{"a"}}.Float64s()
	wantRefusal(t, err, "cannot hold a []string")
}

// wantRefusal checks that err says want, or that there is none when want is empty.
func wantRefusal(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("refused: %v", err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("error %v, want %q", err, want)
	}
}
