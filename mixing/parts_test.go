package mixing

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"instanton/unit"
)

// A path written by hand: chain 0 goes A A – B B A, chain 1 stays in B.
func TestOccupancyByHand(t *testing.T) {
	o := &Occupancy{Names: []string{"A", "B"}, Path: [][]int{{0, 0, 0, 1, 1, 0}, {-1, 1, 1, 1, 1, 1}}}
	o.count(2)
	if o.Transitions != 2 || !reflect.DeepEqual(o.Counts, [][]int{{0, 1}, {1, 0}}) {
		t.Errorf("%d transitions, counts %v", o.Transitions, o.Counts)
	}
	if want := (4.0/6 + 0) / 2; math.Abs(o.Share[0]-want) > 1e-15 {
		t.Errorf("share of A %g, want %g", o.Share[0], want)
	}
	// Run means of A are 2/3 and 0: variance 2/9, p(1−p) = 2/9.
	if math.Abs(o.PerRun[0]-1) > 1e-12 || math.Abs(o.Error[0]-1.0/3) > 1e-12 {
		t.Errorf("ESS of a run %g, want 1; error %g, want 1/3", o.PerRun[0], o.Error[0])
	}
	if o.Residence[0] != 4 || o.Residence[1] != 7 {
		t.Errorf("residence %v, want 4 and 7", o.Residence)
	}
	if m := o.Matrix(); m[0][1] != 1 || m[1][0] != 1 {
		t.Errorf("transition matrix %v", m)
	}
}

// A configuration on the border is deep in no mode, so a chain there has not changed mode.
func TestHysteresis(t *testing.T) {
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: 10}, 5)
	for k, up := range []int{10, 5, 6, 4, 0} {
		for i := range up {
			v.Set(k, i, 1)
		}
	}
	o := Occupy(v, 1, 5, &examples{names: []string{"up", "down"}, states: pick(v, []int{0, 4}), mode: []int{0, 1}})
	if want := []int{0, 0, 0, 0, 1}; !reflect.DeepEqual(o.Path[0], want) {
		t.Errorf("path %v, want %v", o.Path[0], want)
	}
}

// Overlaps with patterns are magnetisations of spins, and fractions of agreeing units otherwise; covariances and
// clusters are checked by hand.
func TestOverlapsAndCovariance(t *testing.T) {
	for kind, want := range map[unit.Type]float64{unit.Spin: 0.5, unit.Bernoulli: 0.75} {
		v := unit.NewStates(unit.Spec{Type: kind, N: 8}, 2)
		for i := range 6 {
			v.Set(1, i, 1)
		}
		for i := range 8 {
			v.Set(0, i, 1)
		}
		var m followed = &examples{states: pick(v, []int{0}), overlaps: 1}
		if got := m.Overlap(v, 1, 0); got != want || !reflect.DeepEqual(m.Overlaps(), []string{"overlap 1"}) {
			t.Errorf("%s: %v is %g, want %g", kind, m.Overlaps(), got, want)
		}
	}
	got := Covariance([][]float64{{1, 2}, {3, -2}})
	if want := [][]float64{{1, -2}, {-2, 4}}; !reflect.DeepEqual(got, want) {
		t.Errorf("covariance %v, want %v", got, want)
	}
}

func TestUnitClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([][]float64, 500)
	for k := range x {
		a, b := r.NormFloat64(), r.NormFloat64()
		noise := func() float64 { return 0.3 * r.NormFloat64() }
		x[k] = []float64{a + noise(), b + noise(), -a + noise(), r.NormFloat64(), b + noise(), a + noise()}
	}
	c := Correlation(x)
	if got, want := UnitClusters(c, 0.3, 6), [][]int{{0, 2, 5}, {1, 4}, {3}}; !reflect.DeepEqual(got, want) {
		t.Errorf("clusters %v, want %v", got, want)
	}
	for _, cluster := range UnitClusters(c, 0.3, 2) {
		if len(cluster) > 2 {
			t.Errorf("cluster %v, want at most two units", cluster)
		}
	}
}

// A chain that was never deep in a mode says nothing about the modes.
func TestChainOutside(t *testing.T) {
	o := &Occupancy{Names: []string{"A", "B"}, Path: [][]int{{0, 1, 0, 1}, {1, 0, 1, 0}, {-1, -1, -1, -1}}}
	o.count(2)
	if o.Share[0] != 0.5 || o.Share[1] != 0.5 || o.Error[0] != 0 || o.Outside != 1 {
		t.Errorf("shares %v, error %g, %d chains outside: want a half each, without error, and one", o.Share,
			o.Error[0], o.Outside)
	}
	if got := len(o.Indicator(0)); got != 2 {
		t.Errorf("the indicator has %d chains, want 2", got)
	}
}

// A chain of period eight is seen in all its phases when one draw in eight is looked at, and every interval gives one
// draw.
func TestThin(t *testing.T) {
	at := thin(16000, 2000)
	phases := map[int]int{}
	for k, j := range at {
		if j/8 != k {
			t.Fatalf("draw %d is number %d: expected one of the eight from %d", k, j, 8*k)
		}
		phases[j%8]++
	}
	for phase := range 8 { // binomial, five standard deviations
		if tol := 5 * math.Sqrt(2000*7.0/64); math.Abs(float64(phases[phase])-250) > tol {
			t.Errorf("phase %d is seen %d times, want 250 ± %g", phase, phases[phase], tol)
		}
	}
	if got := thin(3, 10); !reflect.DeepEqual(got, []int{0, 1, 2}) {
		t.Errorf("three draws are thinned to %v", got)
	}
}

// Only points of other modes keep a configuration from being deep in the nearest mode, not points of the same mode.
func TestDeepest(t *testing.T) {
	for _, c := range []struct {
		distance []float64
		mode     []int
		at       int
		deep     bool
	}{
		{[]float64{5, 7, 3}, []int{0, 1, 1}, 1, true},
		{[]float64{5, 7, 4}, []int{0, 1, 1}, 1, false},
		{[]float64{5, 3, 2.9, 8}, []int{0, 1, 1, 2}, 1, true},
		{[]float64{5, 2, 1}, []int{0, 1, 0}, 0, true},
		{[]float64{4}, []int{0}, 0, true},
	} {
		if at, deep := deepest(c.mode, func(j int) float64 { return c.distance[j] }); at != c.at || deep != c.deep {
			t.Errorf("%+v: mode %d, deep %t", c, at, deep)
		}
	}
}

// The similarity of chains is what its definition says.
func TestSimilarity(t *testing.T) {
	const chains, na, nb, cols = 3, 4, 6, 17
	r := rand.New(rand.NewPCG(1, 2))
	a, b := mat.NewDense(chains*na, cols, nil), mat.NewDense(chains*nb, cols, nil)
	for _, x := range []*mat.Dense{a, b} {
		x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
	}
	for power := 1; power <= 2; power++ {
		want := mat.NewDense(chains, chains, nil)
		for i := range chains * na {
			for j := range chains * nb {
				p := math.Pow(mat.Dot(a.RowView(i), b.RowView(j))/cols, float64(power))
				want.Set(i/na, j/nb, want.At(i/na, j/nb)+p/(na*nb))
			}
		}
		got := similarity(a, b, chains, power)
		for i := range chains {
			for j := range chains {
				w := want.At(i, j) - mat.Sum(want.Slice(i, i+1, 0, chains))/chains -
					mat.Sum(want.Slice(0, chains, j, j+1))/chains + mat.Sum(want)/(chains*chains)
				if math.Abs(got.At(i, j)-w) > 1e-6 { // products below 1, of float32
					t.Errorf("power %d, chains %d and %d: %g, want %g", power, i, j, got.At(i, j), w)
				}
			}
		}
	}
}
