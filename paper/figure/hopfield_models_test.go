package figure

import (
	"math"
	"testing"

	"instanton/evaluate"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/synthetic"
	"instanton/theory"
)

// hopfieldMachine is the Hopfield model, rotated unless the seed is 0.
func hopfieldMachine(w float64, rotate uint64) (*rbm.RBM, error) {
	if rotate == 0 {
		return experiment.AlignedHopfield(w)
	}
	return experiment.RotatedHopfield(w, rotate)
}

// The largest seed of all rotates the weights like any other.
func TestRotatedAtEverySeed(t *testing.T) {
	aligned, err := experiment.AlignedHopfield(pairWeight)
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range []uint64{0, 1, math.MaxUint64 - 1, math.MaxUint64} {
		rotated, err := experiment.RotatedHopfield(pairWeight, rotationSeed(verdict.Settings{Seed: seed}, 0))
		if err != nil {
			t.Fatal(err)
		}
		apart := 0.0
		for k, w := range rotated.W {
			apart = max(apart, math.Abs(w-aligned.W[k]))
		}
		if apart < 0.1*pairWeight/math.Sqrt(experiment.HopfieldSpins) {
			t.Errorf("seed %d leaves the weights as they are", seed)
		}
	}
}

func TestNearestMattis(t *testing.T) {
	m, err := experiment.AlignedHopfield(pairWeight)
	if err != nil {
		t.Fatal(err)
	}
	v := m.PatternsAndOpposites()
	for k := range v.Len {
		for i := range 40 { // of 128
			v.Set(k, 3*i, -v.Value(k, 3*i))
		}
	}
	p, err := nearestMattis(m.Patterns)(v)
	if err != nil {
		t.Fatal(err)
	}
	for k := range p {
		if at, sure := evaluate.MostProbable(p[k]); at != k || sure != 1 {
			t.Errorf("state %d is taken for %d", k, at)
		}
	}
}

// Annealing gives all twelve Mattis states of a built model the same weight; a field b along the first pattern makes
// this state heavier than its opposite by e^{2bN⟨m⟩}, where ⟨m⟩ is m* within a few per cent.
func TestMattisWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("trains models")
	}
	s := tiny()
	star, err := theory.CurieWeiss{W: learntWeight}.Magnetization()
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []float64{0, 0.005} {
		m, err := experiment.AlignedHopfield(learntWeight)
		if err != nil {
			t.Fatal(err)
		}
		for i := range experiment.HopfieldSpins {
			m.Visible.(*rbm.Spin).Fields[i] = field * m.Patterns.Value(0, i)
		}
		data, err := synthetic.FromPatterns(t.Context(), m, 600, 20, 1)
		if err != nil {
			t.Fatal(err)
		}
		weights, err := mattisWeights(t.Context(), s, &experiment.Trained{Model: m, Data: data, Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range weights {
			if w.Error > 0.02 || field == 0 && math.Abs(w.Share-1.0/12) > 4*w.Error {
				t.Errorf("field %g: state %s weighs %.4f ± %.4f", field, w.Name, w.Share, w.Error)
			}
		}
		up, down := weights[0], weights[experiment.HopfieldPatterns]
		got, e, want := up.LogZ-down.LogZ, math.Hypot(up.LogZErr, down.LogZErr), 2*experiment.HopfieldSpins*field*star
		t.Logf("log of the ratio %.4f ± %.4f, want %.4f", got, e, want)
		if math.Abs(got-want) > 4*e+0.03*want {
			t.Errorf("field %g: the first pattern outweighs its opposite by e^(%.4f ± %.4f), want e^%.4f", field, got,
				e, want)
		}
	}
}
