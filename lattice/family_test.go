package lattice

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// designOf makes a design against a thousand structures.
func designOf(t testing.TB, native string, ladder ...float64) *Design {
	set, err := Choice{Count: 1000, Seed: 1}.Of(space())
	if err != nil {
		t.Fatal(err)
	}
	return &Design{Competitors: set, Native: index(t, native), Ladder: ladder, Chains: 3, Seed: 1}
}

// Sequences of two families are different, fold into their own structure and hardly ever into the other's: against the
// same competitors, P_nat there is near 1e-10. Its logarithm to base ten has a standard deviation of 1.5, and of 60
// sequences from 6 chains at least 6 are independent, so the mean of the logarithm is known to 0.6.
func TestTwoFamilies(t *testing.T) {
	set, err := Choice{Count: 10000, Seed: 1}.Of(space())
	if err != nil {
		t.Fatal(err)
	}
	const count = 60
	o := FamilyOptions{Count: count, MinPnat: 0.99, Burn: 60, Every: 4}
	seen := map[Sequence]bool{}
	for _, names := range [][2]string{{"A", "B"}, {"B", "A"}} {
		own, other := index(t, names[0]), index(t, names[1])
		d := &Design{Competitors: set, Native: own, Ladder: []float64{DefaultBeta}, Chains: 6, Seed: 1}
		f, err := d.Family(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Sequences) != count || len(f.Pnat) != count {
			t.Fatalf("%d sequences, want %d", len(f.Sequences), count)
		}
		if share := float64(f.Passed) / float64(f.Draws); share < 0.8 {
			t.Errorf("family %s: only %g of the draws passed", names[0], share)
		}
		var mean, square float64
		for k, v := range f.Sequences {
			if seen[v] {
				t.Errorf("%s comes twice", v)
			}
			seen[v] = true
			if p := set.Pnat(own, v); p < o.MinPnat-1e-12 || math.Abs(p-f.Pnat[k]) > 1e-12 {
				t.Errorf("%s has P_nat %g, said to be %g", v, p, f.Pnat[k])
			}
			x := math.Log10(set.Pnat(other, v))
			mean += x / count
			square += x * x / count
		}
		t.Logf("family %s in %s: log10 P_nat is %.2f ± %.2f", names[0], names[1], mean, math.Sqrt(square-mean*mean))
		if math.Abs(mean+10) > 1.8 {
			t.Errorf("family %s has log10 P_nat %.2f in %s, want about -10", names[0], mean, names[1])
		}
	}
}

// Neither the number of workers nor another family made before changes anything.
func TestFamilyDoesNotDependOnWorkers(t *testing.T) {
	for _, kernel := range []Kernel{HeatBath{}, Metropolis{}} {
		var want *Family
		for _, workers := range []int{1, 2, 5} {
			d := designOf(t, "A", 100, 300)
			d.Workers, d.Kernel = workers, kernel
			f, err := d.Family(context.Background(), FamilyOptions{Count: 20, MinPnat: 0.5, Burn: 20, Every: 2})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = f
			}
			if !slices.Equal(f.Sequences, want.Sequences) || !slices.Equal(f.Pnat, want.Pnat) ||
				!slices.Equal(f.Swaps, want.Swaps) {
				t.Errorf("%s: %d workers give another family than one", kernel, workers)
			}
		}
	}
}

// The streams of a design are pinned.
func TestGoldenFamily(t *testing.T) {
	f, err := designOf(t, "A", 30).Family(context.Background(), FamilyOptions{Count: 3, Burn: 4, Every: 1})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range f.Sequences {
		got = append(got, v.String())
	}
	want := []string{"ATEHQSCQDYLNTMIGGALKANWIVKS", "PEKCEWVHETISRNITRHLNEQCLNET", "RLDQPYFTKNLPDFFMEAFYRLAFFRD"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFamilyGivesUp(t *testing.T) {
	d := designOf(t, "A", 1)
	d.Chains = 100
	_, err := d.Family(context.Background(), FamilyOptions{Count: 10, MinPnat: 0.999999, Every: 1})
	if err == nil || !strings.Contains(err.Error(), "only 0 had P_nat of at least 0.999999") {
		t.Errorf("an impossible family: %v", err)
	}
	d = designOf(t, "A", 1e9) // frozen in one basin
	d.Chains = 1
	_, err = d.Family(context.Background(), FamilyOptions{Count: 100, MinPnat: 0.5, Burn: 20, Every: 1})
	if err == nil || !strings.Contains(err.Error(), "a smaller β") {
		t.Errorf("a frozen family: %v", err)
	}
}

func TestFamilyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := FamilyOptions{Count: 1000000, Burn: 2, Every: 1, Found: func(int) { cancel() }}
	if _, err := designOf(t, "A", 10).Family(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("a design that was interrupted ended with %v", err)
	}
}

func TestDesignRefuses(t *testing.T) {
	good := FamilyOptions{Count: 1, Every: 1}
	for want, change := range map[string]func(d *Design, o *FamilyOptions){
		"0 sequences":                 func(_ *Design, o *FamilyOptions) { o.Count = 0 },
		"a minimum P_nat of 1":        func(_ *Design, o *FamilyOptions) { o.MinPnat = 1 },
		"a minimum P_nat of NaN":      func(_ *Design, o *FamilyOptions) { o.MinPnat = math.NaN() },
		"a burn-in of -1 sweeps":      func(_ *Design, o *FamilyOptions) { o.Burn = -1 },
		"there is no structure 10334": func(d *Design, _ *FamilyOptions) { d.Native = NumStructures },
		"no inverse temperature":      func(d *Design, _ *FamilyOptions) { d.Ladder = nil },
		"0 chains":                    func(d *Design, _ *FamilyOptions) { d.Chains = 0 },
		"40000 chains":                func(d *Design, _ *FamilyOptions) { d.Chains = 40000 },
		"are [2 1]":                   func(d *Design, _ *FamilyOptions) { d.Ladder = []float64{2, 1} },
		"are [-1]":                    func(d *Design, _ *FamilyOptions) { d.Ladder = []float64{-1} },
		"are [+Inf]":                  func(d *Design, _ *FamilyOptions) { d.Ladder = []float64{math.Inf(1)} },
	} {
		d, o := designOf(t, "A", 1), good
		change(d, &o)
		if _, err := d.Family(context.Background(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if err := d.Check(o); err == nil {
			t.Errorf("%q is found only when it is too late", want)
		}
	}
}

func TestRungs(t *testing.T) {
	got := Rungs(10, 1000, 3)
	if len(got) != 3 || math.Abs(got[0]-10) > 1e-12 || math.Abs(got[1]-100) > 1e-11 || got[2] != 1000 {
		t.Errorf("rungs %v, want 10, 100, 1000", got)
	}
	if one := Rungs(10, 1000, 1); len(one) != 1 || one[0] != 1000 {
		t.Errorf("one rung is %v, want 1000", one)
	}
}
