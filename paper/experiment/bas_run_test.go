package experiment

import (
	"context"
	"math"
	"testing"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/unit"
)

func TestNearestImage(t *testing.T) {
	const side = 5
	images, err := dataset.BarsAndStripes(side, unit.Spin)
	if err != nil {
		t.Fatal(err)
	}
	one := unit.NewStates(images.States.Spec, 1)
	for k := range images.States.Len {
		i := NearestImage(images.States, k, side)
		if i.Class != images.Labels[k] || i.Distance != 0 {
			t.Fatalf("image %d of class %d is %+v", k, images.Labels[k], i)
		}
		if i.Class == dataset.Both {
			continue
		}
		one.CopyRow(0, images.States, k)
		one.Set(0, 7, -one.Value(0, 7))
		if noisy := NearestImage(one, 0, side); !noisy.Same(i) || noisy.Distance != 1 {
			t.Fatalf("image %+v with a wrong pixel is %+v", i, noisy)
		}
	}
}

// Noise is no change of image; bars become stripes also by way of an image that is both.
func TestPassages(t *testing.T) {
	bar, other := BASImage{Class: dataset.Bar, Lines: 0b0110}, BASImage{Class: dataset.Bar, Lines: 0b0010}
	none, stripe := BASImage{Class: dataset.Both}, BASImage{Class: dataset.Stripe, Lines: 0b1000}
	noise := BASImage{Class: dataset.Stripe, Lines: 0b0001, Distance: 5}
	got := passages(bar, []BASImage{bar, noise, bar, other, none, stripe, stripe, none, stripe, bar}, 4)
	want := []bool{false, false, true, false, false, true} // turned
	if len(got) != len(want) {
		t.Fatalf("%d passages: %+v", len(got), got)
	}
	for k, p := range got {
		if p.Turned != want[k] {
			t.Errorf("passage %d, %+v: turned %v", k, p, p.Turned)
		}
	}
	if none.LinesToUniform(4) != 0 || other.LinesToUniform(4) != 1 || bar.LinesToUniform(4) != 2 {
		t.Error("lines away from all or none")
	}
}

// Annealing that says something else is believed, too, less what it does not know itself.
func TestDoubt(t *testing.T) {
	for _, x := range []struct{ gap, annealing, want float64 }{{0.5, 0.3, 0.4}, {-0.5, 0.3, 0.4}, {0.5, 1, 0.01}, {0,
		0.3, 0.01}} {
		m := BASModes{LogZ: 100, LogZErr: 0.01}
		m.doubt(Likelihood{LogZ: 100 + x.gap, AIS: &evaluate.AIS{Error: x.annealing}})
		if math.Abs(m.LogZErr-x.want) > 1e-9 {
			t.Errorf("log Z off by %g from annealing with the error %g: %g, want %g", x.gap, x.annealing, m.LogZErr,
				x.want)
		}
	}
	m := BASModes{LogZ: 100, LogZErr: 0.01}
	if m.doubt(Likelihood{LogZ: 90}); m.LogZErr != 0.01 { // exact
		t.Errorf("error %g without annealing", m.LogZErr)
	}
}

// Sums over images and samples give the exact log Z, and bars weigh as much as stripes, with L1 and without.
func TestBASModes(t *testing.T) {
	if testing.Short() {
		t.Skip("trains and samples models")
	}
	s := verdict.Settings{Quick: true, Seed: 1, Workers: 2, Tiny: true}.In(t.TempDir())
	for _, kind := range []BASKind{BASSparse, BASPlain} {
		b, err := TrainBAS(context.Background(), s, kind)
		if err != nil {
			t.Fatal(err)
		}
		exact, _, err := rbm.LogZ(b.Model)
		if err != nil || b.Likelihood.Method != "exact" || math.Abs(b.Modes.LogZ-exact) > 1e-9 {
			t.Fatalf("%s: log Z %g by %s, want %g (%v)", kind, b.Modes.LogZ, b.Likelihood.Method, exact, err)
		}
		b.Likelihood.Method = "ais" // as if it could not be enumerated
		m, err := b.weigh(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		// Configurations about the two images that are both count as if they were about bars, for which
		// 0.05 is allowed beside four standard errors.
		if d := math.Abs(m.LogZ - exact); d > 0.05+4*m.LogZErr {
			t.Errorf("%s: log Z %g ± %g, want %g", kind, m.LogZ, m.LogZErr, exact)
		}
		bars, stripes := m.Weights[dataset.Bar], m.Weights[dataset.Stripe]
		if d := math.Abs(bars.Share - stripes.Share); d > 4*math.Hypot(bars.Error, stripes.Error)+1e-3 {
			t.Errorf("%s: bars %g ± %g, stripes %g ± %g", kind, bars.Share, bars.Error, stripes.Share, stripes.Error)
		}
	}
}
