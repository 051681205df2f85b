package pca

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"instanton/internal/vec"
	"instanton/unit"
)

// sequences returns twelve sequences of five letters from an alphabet of three.
func sequences() *unit.States {
	v := unit.NewStates(unit.Spec{Type: unit.Potts, N: 5, Q: 3}, 12)
	for k := range 12 {
		for i := range 5 {
			v.Set(k, i, float64((k*k+3*k*i+i*i*2+(k/4)*i)%3))
		}
	}
	return v
}

// Reference values from numpy.linalg.eigh (numpy 1.24.2) for the covariance matrix of the indicators.
func TestSequencesAgainstNumpy(t *testing.T) {
	for _, c := range []struct {
		weights   []float64
		variances []float64
		total     float64
		first     []float64 // the first five entries of the first component
	}{
		{nil, []float64{0.9651314062368461, 0.828422497711491, 0.7216743383986394}, 2.8472222222222223,
			[]float64{-0.382027745922, 0.382027745922, 0, 0.053899299154, 0.278328803049}},
		{[]float64{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3},
			[]float64{0.9940220629648818, 0.7643111696456708, 0.5687603914920792}, 2.5173611111111107,
			[]float64{0.019187273948, -0.019187273948, 0, -0.062969416555, -0.389575432213}},
	} {
		p, err := Fit(sequences(), c.weights, 3)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(p.Total-c.total) > 1e-12 {
			t.Errorf("total variance %.15g, want %.15g", p.Total, c.total)
		}
		for k, want := range c.variances {
			if math.Abs(p.Variances[k]-want) > 1e-12 {
				t.Errorf("variance %d is %.15g, want %.15g", k, p.Variances[k], want)
			}
		}
		sign := math.Copysign(1, c.first[4]*p.Components[0][4]) // equal entries leave the sign open
		for i, want := range c.first {
			if got := sign * p.Components[0][i]; math.Abs(got-want) > 1e-11 {
				t.Errorf("entry %d of the first component is %.12g, want %.12g", i, got, want)
			}
		}
	}
}

// For units of every type, the components are those of the one-hot vectors, written out.
func TestAgainstDense(t *testing.T) {
	for _, text := range []string{"spin:70", "bernoulli:70", "potts:30x4", "gaussian:80"} {
		spec, err := unit.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(3, 4))
		v := unit.NewStates(spec, 300)
		weights := make([]float64, 300)
		for k := range 300 {
			weights[k] = 0.5 + r.Float64()
			hidden := r.NormFloat64() // what the units have in common
			for i := range spec.N {
				x := hidden*float64(i%5) + r.NormFloat64()
				switch {
				case spec.Type == unit.Potts:
					x = math.Mod(math.Abs(math.Floor(x)), 4)
				case spec.Type == unit.Bernoulli && x <= 0:
					x = 0
				case spec.Type != unit.Gaussian:
					x = math.Copysign(1, x)
				}
				v.Set(k, i, x)
			}
		}
		p, err := Fit(v, weights, 4)
		if err != nil {
			t.Fatal(err)
		}
		dense := written(v, weights)
		values, vectors := leading(dense, spec.Width(), 4)
		for k := range values {
			image := dense.apply(p.Components[k])
			for i, x := range p.Components[k] {
				if math.Abs(image[i]-p.Variances[k]*x) > 1e-8*values[0] {
					t.Fatalf("%s: C·x − λx is %g in entry %d of component %d", text, image[i]-p.Variances[k]*x, i, k)
				}
			}
			if math.Abs(values[k]-p.Variances[k]) > 1e-10*values[0] ||
				math.Abs(math.Abs(vec.Dot(vectors[k], p.Components[k]))-1) > 1e-10 {
				t.Errorf("%s: variance %d is %.12g, want %.12g; overlap %g", text, k, p.Variances[k], values[k],
					vec.Dot(vectors[k], p.Components[k]))
			}
		}
		// Coordinates are centred and uncorrelated, and have the variances of the components.
		y, err := p.Projections(v)
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for _, w := range weights {
			sum += w
		}
		for a := range 4 {
			var mean float64
			for b := range 4 {
				var cross float64
				for k := range y {
					cross += weights[k] / sum * y[k][a] * y[k][b]
				}
				want := 0.0
				if a == b {
					want = p.Variances[a]
				}
				if math.Abs(cross-want) > 1e-8*values[0] {
					t.Errorf("%s: coordinates %d and %d have the covariance %g, want %g", text, a, b, cross, want)
				}
			}
			for k := range y {
				mean += weights[k] / sum * y[k][a]
			}
			if math.Abs(mean) > 1e-9 {
				t.Errorf("%s: the mean of coordinate %d is %g", text, a, mean)
			}
		}
		x := make([]float64, spec.Width())
		channels(x, v, 7)
		if math.Abs(p.Along(x, 2)-y[7][2]) > 1e-9 {
			t.Errorf("%s: coordinate %g of the vector, %g of the configuration", text, p.Along(x, 2), y[7][2])
		}
	}
}

// matrix is a covariance written out.
type matrix [][]float64

func (m matrix) apply(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, row := range m {
		out[i] = vec.Dot(row, x)
	}
	return out
}

func (m matrix) times(z, y []float64, b int) {
	for j := range b {
		x := make([]float64, len(m))
		for i := range x {
			x[i] = y[i*b+j]
		}
		for i, v := range m.apply(x) {
			z[i*b+j] = v
		}
	}
}

func channels(x []float64, v *unit.States, k int) {
	if v.Type != unit.Potts {
		v.Values(x, k)
		return
	}
	clear(x)
	for i, a := range v.CodeRow(k) {
		x[i*v.Q+int(a)] = 1
	}
}

func written(v *unit.States, weights []float64) matrix {
	n := v.Width()
	mean, x := make([]float64, n), make([]float64, n)
	var total float64
	for k, w := range weights {
		channels(x, v, k)
		total += w
		for i := range x {
			mean[i] += w * x[i]
		}
	}
	c := make(matrix, n)
	for i := range c {
		mean[i] /= total
		c[i] = make([]float64, n)
	}
	for k, w := range weights {
		channels(x, v, k)
		for i := range x {
			for j := range x {
				c[i][j] += w / total * (x[i] - mean[i]) * (x[j] - mean[j])
			}
		}
	}
	return c
}

// All components with equal variances are found, and no more components than there are directions.
func TestDegenerate(t *testing.T) {
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: 200}, 8)
	for k := range 8 { // the corners of a cube: three blocks of spins, up or down
		for b := range 3 {
			for i := range 50 {
				v.Set(k, b*50+i, float64(k>>b&1)*2-1)
			}
		}
	}
	p, err := Fit(v, nil, 5)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Variances) != 3 {
		t.Fatalf("variances %v, want three", p.Variances)
	}
	for _, variance := range p.Variances {
		if math.Abs(variance-50) > 1e-10 {
			t.Errorf("variance %.15g, want 50", variance)
		}
	}
	one, err := Fit(v.Slice(0, 1), nil, 2)
	if err != nil || len(one.Components) != 0 || one.Total != 0 {
		t.Errorf("one configuration: %+v, %v", one, err)
	}
	if y, err := one.Projections(v); err != nil || len(y) != 8 || len(y[0]) != 0 {
		t.Errorf("coordinates %v, %v", y, err)
	}
}

func TestBadInput(t *testing.T) {
	v := sequences()
	for _, c := range []struct {
		v       *unit.States
		weights []float64
		count   int
		want    string
	}{
		{v.Slice(0, 0), nil, 1, "no configurations"},
		{v, nil, 0, "0 principal components: expected at least one"},
		{v, []float64{1}, 1, "1 weights for 12 configurations"},
		{v.Slice(0, 2), []float64{1, -1}, 1, "weight 1 is -1"},
		{v.Slice(0, 2), []float64{0, 0}, 1, "sum to 0"},
		{v.Slice(0, 2), []float64{1, math.NaN()}, 1, "weight 1 is NaN"},
	} {
		if _, err := Fit(c.v, c.weights, c.count); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	p, err := Fit(v, nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Components) > 10 { // five letters out of three have ten free indicators
		t.Errorf("%d components", len(p.Components))
	}
	if _, err := p.Projections(unit.NewStates(unit.Spec{Type: unit.Spin, N: 15}, 1)); err == nil ||
		!strings.Contains(err.Error(), "the components are of potts:5x3: got configurations of spin:15") {
		t.Errorf("error %v for other units", err)
	}
}

// As many sequences as a large alignment has.
func BenchmarkFit(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	v := unit.NewStates(unit.Spec{Type: unit.Potts, N: 100, Q: 21}, 10000)
	for k := range v.Codes {
		v.Codes[k] = uint8(r.IntN(21))
	}
	for b.Loop() {
		if _, err := Fit(v, nil, 2); err != nil {
			b.Fatal(err)
		}
	}
}
