package dataset_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/internal/npy"
	"instanton/unit"
)

// Every image is listed once and is what its label says.
func TestBarsAndStripes(t *testing.T) {
	for size := 2; size <= 6; size++ {
		for _, kind := range []unit.Type{unit.Spin, unit.Bernoulli} {
			d, err := dataset.BarsAndStripes(size, kind)
			if err != nil {
				t.Fatal(err)
			}
			if want := 1<<(size+1) - 2; d.States.Len != want {
				t.Errorf("side %d: %d images, want %d", size, d.States.Len, want)
			}
			seen := map[string]bool{}
			for k := range d.States.Len {
				key := image(d, k)
				if seen[key] {
					t.Errorf("side %d: image %s stands twice", size, key)
				}
				seen[key] = true
				checkClass(t, d, k)
			}
		}
	}
}

func image(d *dataset.Dataset, k int) string {
	var b strings.Builder
	for i := range d.States.N {
		fmt.Fprint(&b, d.States.Value(k, i))
	}
	return b.String()
}

func checkClass(t *testing.T, d *dataset.Dataset, k int) {
	t.Helper()
	size := d.Shape[0]
	bar, stripe := true, true
	for row := range size {
		for column := range size {
			x := d.States.Value(k, row*size+column)
			bar = bar && x == d.States.Value(k, column)
			stripe = stripe && x == d.States.Value(k, row*size)
		}
	}
	want := map[int][2]bool{dataset.Bar: {true, false}, dataset.Stripe: {false, true},
		dataset.Both: {true, true}}[d.Labels[k]]
	if bar != want[0] || stripe != want[1] {
		t.Errorf("image %d labelled %s: bars %v, stripes %v", k, d.LabelNames[d.Labels[k]], bar, stripe)
	}
}

// Random images are uniform over the distinct ones: the counts of the 14 images of side 3 are within five binomial
// errors.
func TestRandomBarsAndStripes(t *testing.T) {
	const n = 14000
	d, err := dataset.RandomBarsAndStripes(3, n, unit.Spin, 4)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for k := range n {
		checkClass(t, d, k)
		counts[image(d, k)]++
	}
	if len(counts) != 14 {
		t.Errorf("%d distinct images, want 14", len(counts))
	}
	for key, c := range counts {
		if tol := 5 * math.Sqrt(n*(1.0/14)*(13.0/14)); math.Abs(float64(c)-n/14) > tol {
			t.Errorf("image %s drawn %d times, want %d ± %.0f", key, c, n/14, tol)
		}
	}
}

// ⟨m²⟩ of exact Curie–Weiss samples is within four standard errors of the exact sum.
func TestCurieWeissSamples(t *testing.T) {
	const n, count, w = 16, 5000, 1.2
	d, err := dataset.CurieWeiss(n, w, count, 3)
	if err != nil {
		t.Fatal(err)
	}
	var z, exact, exact4 float64
	choose := 1.0
	for up := 0; up <= n; up++ {
		s := float64(2*up - n)
		p := choose * math.Exp(w*w*s*s/(2*n))
		z += p
		exact += p * s * s / (n * n)
		exact4 += p * math.Pow(s/n, 4)
		choose *= float64(n-up) / float64(up+1)
	}
	exact, exact4 = exact/z, exact4/z
	var sum, first float64
	for k := range count {
		var m float64
		for i := range n {
			m += d.States.Value(k, i) / n
		}
		sum += m * m / count
		first += d.States.Value(k, 0) / count
	}
	if se := math.Sqrt((exact4 - exact*exact) / count); math.Abs(sum-exact) > 4*se {
		t.Errorf("⟨m²⟩ = %g, exact %g ± %g", sum, exact, se)
	}
	if se := 1 / math.Sqrt(count); math.Abs(first) > 4*se {
		t.Errorf("⟨v_0⟩ = %g, want 0 ± %g", first, se)
	}
}

func TestSaveAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bas.npz")
	d, err := dataset.BarsAndStripes(4, unit.Bernoulli)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Save(path, false); err != nil {
		t.Fatal(err)
	}
	if err := d.Save(path, false); err == nil {
		t.Error("a data set was overwritten without force")
	}
	got, err := dataset.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if !got.States.Equal(d.States) || got.Name != d.Name || len(got.Labels) != 30 || got.Labels[16] != dataset.Stripe ||
		got.Shape[1] != 4 {
		t.Errorf("read back %+v", got)
	}
	if _, err := dataset.ReadAs(path, unit.Spec{Type: unit.Spin, N: 16}); err == nil ||
		!strings.Contains(err.Error(), "expected -1 or 1 for a spin") {
		t.Errorf("0/1 data read as spins: error %v", err)
	}
	if _, err := dataset.ReadAs(path, unit.Spec{Type: unit.Bernoulli, N: 9}); err == nil ||
		!strings.Contains(err.Error(), "expected 9 units") {
		t.Errorf("wrong size: error %v", err)
	}
}

// The units of bare arrays are inferred from their values.
func TestReadBareArrays(t *testing.T) {
	for _, c := range []struct {
		array npy.Array
		want  string // spec, or part of the error
	}{
		{npy.New([]int8{1, -1, -1, 1}, 2, 2), "spin:2"},
		{npy.New([]bool{true, false, true}, 1, 3), "bernoulli:3"},
		{npy.New([]float32{1, -1, 1, 1}, 1, 2, 2), "spin:2"},
		{npy.New([]uint8{0, 3, 2, 1}, 2, 2), "potts:2x4"},
		{npy.New([]float64{0.5, 3, 2, 1}, 2, 2), "gaussian:2"},
		{npy.New([]float64{0.5, math.NaN()}, 1, 2), "expected a finite number"},
		{npy.New([]float64{1, 0}, 2), "expected configurations by units"},
		{npy.New([]float64{}, 0, 3), "it is empty"},
	} {
		path := filepath.Join(t.TempDir(), "x.npy")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := npy.Write(f, c.array); err != nil {
			t.Fatal(err)
		}
		f.Close()
		d, err := dataset.Read(path)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: error %v, want %q", c.array, err, c.want)
			}
		} else if d.States.Spec.String() != c.want {
			t.Errorf("%v read as %s, want %s", c.array, d.States.Spec, c.want)
		}
	}
}

func TestBadSets(t *testing.T) {
	for name, f := range map[string]func() error{
		"side 1":      func() error { _, err := dataset.BarsAndStripes(1, unit.Spin); return err },
		"side -3":     func() error { _, err := dataset.BarsAndStripes(-3, unit.Spin); return err },
		"side 40":     func() error { _, err := dataset.BarsAndStripes(40, unit.Spin); return err },
		"potts":       func() error { _, err := dataset.BarsAndStripes(4, unit.Potts); return err },
		"no images":   func() error { _, err := dataset.RandomBarsAndStripes(4, 0, unit.Spin, 1); return err },
		"no spins":    func() error { _, err := dataset.CurieWeiss(0, 1, 5, 1); return err },
		"negative w":  func() error { _, err := dataset.CurieWeiss(5, -1, 5, 1); return err },
		"no samples":  func() error { _, err := dataset.CurieWeiss(5, 1, -2, 1); return err },
		"no such":     func() error { _, err := dataset.Read("nowhere.npz"); return err },
		"no such npy": func() error { _, err := dataset.Read("nowhere.npy"); return err },
	} {
		if f() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Weights with an infinite sum would make every mean NaN.
func TestCheckRefusesEndlessWeights(t *testing.T) {
	d := &dataset.Dataset{States: unit.NewStates(unit.Spec{Type: unit.Spin, N: 2}, 2), Weights: []float64{1e308, 1e307}}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
	d.Weights[1] = 1e308
	if err := d.Check(); err == nil || !strings.Contains(err.Error(), "expected a finite sum") {
		t.Errorf("weights that sum to infinity: error %v", err)
	}
}
