package mixing

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"instanton/unit"
)

// A path written by hand: chain 0 goes A A – B B A, chain 1 stays in B.
func TestOccupancyByHand(t *testing.T) {
	o := &Occupancy{Names: []string{"A", "B"}, Path: [][]int{{0, 0, 0, 1, 1, 0}, {-1, 1, 1, 1, 1, 1}}}
	o.count(2, 2)
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

// A configuration on the border is deep in no mode, so that a chain there has not changed.
func TestHysteresis(t *testing.T) {
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: 10}, 5)
	for k, up := range []int{10, 5, 6, 4, 0} {
		for i := range up {
			v.Set(k, i, 1)
		}
	}
	p := &prototypes{names: []string{"up", "down"}, points: [][]float64{{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}}, mode: []int{0, 1}}
	o := Occupy(v, 1, 5, p)
	if want := []int{0, 0, 0, 0, 1}; !reflect.DeepEqual(o.Path[0], want) {
		t.Errorf("path %v, want %v", o.Path[0], want)
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

// Three far clusters are found whatever the seed.
func TestCentres(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var x [][]float64
	for k := range 300 {
		x = append(x, []float64{10*float64(k%3) + r.NormFloat64(), r.NormFloat64()})
	}
	for seed := range uint64(5) {
		seen := map[int]bool{}
		for _, c := range Centres(x, 3, seed) {
			seen[int(math.Round(c[0]/10))] = true
			if math.Abs(c[1]) > 0.5 { // five standard errors of 100 points
				t.Errorf("centre %v", c)
			}
		}
		if len(seen) != 3 {
			t.Errorf("seed %d: centres in %d clusters, want 3", seed, len(seen))
		}
	}
}

func TestPrincipal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([][]float64, 4000)
	for k := range x {
		a, b := 3*r.NormFloat64(), r.NormFloat64()
		x[k] = []float64{5 + 0.6*a - 0.8*b, 0.8*a + 0.6*b, 0.1 * r.NormFloat64()}
	}
	p := newPrincipal(x, 2)
	// The error of a direction is about √(λ1λ2)/((λ1−λ2)√n) = 0.006.
	if got := math.Abs(p.components[0][0]*0.6 + p.components[0][1]*0.8); got < 1-1e-3 {
		t.Errorf("first component %v", p.components[0])
	}
	for k, want := range []float64{9, 1} {
		if tol := 5 * want * math.Sqrt(2.0/4000); math.Abs(p.variances[k]-want) > tol {
			t.Errorf("variance %d is %g, want %g ± %g", k, p.variances[k], want, tol)
		}
	}
}
