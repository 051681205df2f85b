package mixing_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// A suite of models whose mixing is known, to be judged: no assurance where there is none to
// give, and few alarms where there is no reason for one. The test judges one of each kind;
// INSTANTON_SUITE=10 judges all with ten seeds and prints the table of docs/mixing.md.

type suiteCase struct {
	name, kind string
	mixes      bool // within a run of this length
	samples    func(t *testing.T, seed uint64) mixing.Samples
}

// sampled runs a model by alternating Gibbs sampling.
func sampled(t *testing.T, m *rbm.RBM, start *unit.States, chains, burn, draws int, seed uint64) mixing.Samples {
	t.Helper()
	k := must(sampler.NewGibbs(m, 1))
	c := sampler.NewChains(m, chains, seed)
	if start == nil {
		start = mixing.Starts(m, chains, seed)
	}
	if err := c.Begin(start); err != nil {
		t.Fatal(err)
	}
	r := sampler.NewRecord(k, c, sampler.Plan{Burn: burn, Every: 1, Draws: draws}, false)
	if err := sampler.NewPool(k, 0).Record(context.Background(), c, r, nil); err != nil {
		t.Fatal(err)
	}
	return mixing.Samples{V: r.V, Chains: chains, Draws: draws, Model: m, Sampler: "gibbs", Start: start}
}

// blocks are independent blocks of spins, each a ferromagnet with one Gaussian hidden unit of
// weight w/√n; fields tilt all spins of a block.
func blocks(sizes []int, w, field []float64) *rbm.RBM {
	n := 0
	for _, k := range sizes {
		n += k
	}
	m := must(rbm.New(unit.Spec{Type: unit.Spin, N: n}, unit.Spec{Type: unit.Gaussian, N: len(sizes)}))
	at := 0
	for b, k := range sizes {
		for i := at; i < at+k; i++ {
			m.Row(i)[b] = w[b] / math.Sqrt(float64(k))
			if field != nil {
				m.Visible.(*rbm.Spin).Fields[i] = field[b]
			}
		}
		at += k
	}
	return m
}

// one starts all chains but some at a configuration, the others at its opposite.
func one(m *rbm.RBM, chains, others int) *unit.States {
	s := unit.NewStates(m.Visible.Spec(), chains)
	for k := range chains - others {
		for i := range s.N {
			s.Set(k, i, 1)
		}
	}
	return s
}

// made makes samples without a model: value gives unit i of draw d of chain c.
func made(chains, draws, n int, value func(c, d, i int) float64) mixing.Samples {
	v := unit.NewStates(unit.Spec{Type: unit.Bernoulli, N: n}, chains*draws)
	start := unit.NewStates(v.Spec, chains)
	for c := range chains {
		for i := range n {
			start.Set(c, i, float64((c+i)%2))
		}
		for d := range draws {
			for i := range n {
				v.Set(c*draws+d, i, value(c, d, i))
			}
		}
	}
	return mixing.Samples{V: v, Chains: chains, Draws: draws, Start: start}
}

func suite() []suiteCase {
	const chains, burn, draws = 24, 100, 1000
	var all []suiteCase
	add := func(kind, name string, mixes bool, samples func(t *testing.T, seed uint64) mixing.Samples) {
		all = append(all, suiteCase{name, kind, mixes, samples})
	}
	// Independent units, and random models that are sampled within a few sweeps.
	for _, v := range []string{"spin:20", "bernoulli:200", "potts:15x6", "gaussian:12", "relu:12", "drelu:12"} {
		add("independent", v, true, func(t *testing.T, seed uint64) mixing.Samples {
			m := must(rbm.New(must(unit.ParseSpec(v)), unit.Spec{Type: unit.Spin, N: 5}))
			return sampled(t, m, nil, chains, burn, draws, seed)
		})
	}
	for _, pair := range [][2]string{
		{"spin:40", "spin:10"}, {"spin:40", "gaussian:10"}, {"bernoulli:60", "bernoulli:20"},
		{"bernoulli:60", "relu:10"},
		{"potts:12x5", "drelu:8"}, {"potts:12x5", "potts:4x3"}, {"gaussian:10", "spin:6"}, {"relu:8", "bernoulli:5"},
		{"drelu:8", "spin:6"}, {"spin:100", "drelu:12"},
	} {
		add("fast", pair[0]+" "+pair[1], true, func(t *testing.T, seed uint64) mixing.Samples {
			m := must(rbm.Random(must(unit.ParseSpec(pair[0])), must(unit.ParseSpec(pair[1])), 0.5, seed))
			return sampled(t, m, nil, chains, burn, draws, seed)
		})
	}
	for _, w := range []float64{0.5, 0.8, 0.9} {
		add("fast", fmt.Sprintf("ferromagnet w = %g", w), true, func(t *testing.T, seed uint64) mixing.Samples {
			return sampled(t, must(rbm.CurieWeiss(100, w)), nil, chains, burn, draws, seed)
		})
	}
	// Relaxation times comparable with the run (exact: docs/theory.md).
	for _, c := range []struct {
		n int
		w float64
	}{{60, 1.15}, {40, 1.3}, {100, 1.1}} {
		add("slow", fmt.Sprintf("ferromagnet N = %d, w = %g", c.n, c.w), false,
			func(t *testing.T, seed uint64) mixing.Samples {
				return sampled(t, must(rbm.CurieWeiss(c.n, c.w)), nil, chains, burn, draws, seed)
			})
	}
	for _, c := range []struct {
		n int
		w float64
	}{{128, 1.5}, {300, 1.3}, {60, 2}} {
		add("stuck", fmt.Sprintf("ferromagnet N = %d, w = %g", c.n, c.w), false,
			func(t *testing.T, seed uint64) mixing.Samples {
				return sampled(t, must(rbm.CurieWeiss(c.n, c.w)), nil, chains, burn, draws, seed)
			})
	}
	add("stuck", "six patterns", false, func(t *testing.T, seed uint64) mixing.Samples {
		return sampled(t, must(rbm.Hopfield(must(rbm.OrthogonalPatterns(128, 6)), 1.5)), nil, chains, 0, draws, seed)
	})
	// Units that never change while all else mixes.
	for _, c := range []struct {
		sizes []int
		w     []float64
	}{
		{[]int{100, 100, 3}, []float64{0.9, 0.9, 5}}, {[]int{200, 2}, []float64{0.8, 6}},
		{[]int{50, 50, 50, 8}, []float64{0.5, 0.5, 0.5, 3}},
		{[]int{300, 5}, []float64{0.9, 4}}, {[]int{30, 30, 4, 4}, []float64{0.9, 0.9, 4, 4}},
	} {
		add("frozen units", fmt.Sprint(c.sizes), false, func(t *testing.T, seed uint64) mixing.Samples {
			return sampled(t, blocks(c.sizes, c.w, nil), nil, chains, burn, draws, seed)
		})
	}
	// Chains that stay apart: one, two or a closed group.
	for _, others := range []int{1, 2, 6} {
		add("isolated chains", fmt.Sprintf("%d of 24, ferromagnet", others), false,
			func(t *testing.T, seed uint64) mixing.Samples {
				m := must(rbm.CurieWeiss(128, 1.5))
				return sampled(t, m, one(m, chains, others), chains, burn, draws, seed)
			})
		add("isolated chains", fmt.Sprintf("%d of 24, small block", others), false,
			func(t *testing.T, seed uint64) mixing.Samples {
				m := blocks([]int{150, 6}, []float64{0.9, 3.5}, nil)
				return sampled(t, m, one(m, chains, others), chains, burn, draws, seed)
			})
	}
	// Two wells of unequal weight, a barrier that is not crossed.
	for _, field := range []float64{0.01, 0.02} {
		add("unequal wells", fmt.Sprintf("field %g", field), false, func(t *testing.T, seed uint64) mixing.Samples {
			m := blocks([]int{128}, []float64{1.5}, []float64{field})
			return sampled(t, m, nil, chains, burn, draws, seed)
		})
	}
	add("first-order", "Potts ferromagnet", false, func(t *testing.T, seed uint64) mixing.Samples {
		return sampled(t, pottsFerromagnet(160, 10, 5.2), nil, chains, burn, draws, seed)
	})
	// Samples from elsewhere.
	random := func(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
	add("made", "independent bits", true, func(t *testing.T, seed uint64) mixing.Samples {
		r := random(seed)
		return made(chains, draws, 50, func(_, _, _ int) float64 { return float64(r.IntN(2)) })
	})
	add("made", "rare bits", true, func(t *testing.T, seed uint64) mixing.Samples {
		r := random(seed)
		return made(chains, draws, 300, func(_, _, i int) float64 {
			if r.Float64() < math.Pow(10, -float64(i%5)) {
				return 1
			}
			return 0
		})
	})
	add("made", "two bits with a sign of their own in every chain", false,
		func(t *testing.T, seed uint64) mixing.Samples {
			r := random(seed)
			var bit float64
			return made(chains, draws, 40, func(c, _, i int) float64 {
				if i == 0 {
					bit = float64(r.IntN(2))
					return bit
				}
				if i == 1 { // equal in half of the chains, opposite in the others
					return math.Abs(bit - float64(c%2))
				}
				return float64(r.IntN(2))
			})
		})
	add("made", "two groups that do not meet", false, func(t *testing.T, seed uint64) mixing.Samples {
		r := random(seed)
		return made(chains, draws, 60, func(c, _, i int) float64 {
			if i < 3 {
				return float64(c % 2)
			}
			return float64(r.IntN(2))
		})
	})
	add("made", "one chain with a bias", false, func(t *testing.T, seed uint64) mixing.Samples {
		r := random(seed)
		return made(chains, draws, 60, func(c, _, i int) float64 {
			if c == 7 && i < 4 && r.IntN(10) > 0 {
				return 1
			}
			return float64(r.IntN(2))
		})
	})
	add("made", "a chain that arrives late", false, func(t *testing.T, seed uint64) mixing.Samples {
		r := random(seed)
		return made(chains, draws, 60, func(c, d, i int) float64 {
			if c == 3 && d < 600 && i < 10 {
				return 1
			}
			return float64(r.IntN(2))
		})
	})
	add("made", "period two", true, func(t *testing.T, seed uint64) mixing.Samples {
		return made(chains, draws, 10, func(c, d, i int) float64 { return float64((d + i + c) % 2) })
	})
	return all
}

// pottsFerromagnet is the mean-field Potts model: q Gaussian hidden units, each pulling all
// sites to its state.
func pottsFerromagnet(n, q int, w2 float64) *rbm.RBM {
	m := must(rbm.New(unit.Spec{Type: unit.Potts, N: n, Q: q}, unit.Spec{Type: unit.Gaussian, N: q}))
	for i := range n {
		for a := range q {
			m.Row(i*q + a)[a] = math.Sqrt(w2 / float64(n))
		}
	}
	return m
}

// No false assurance, and few false alarms.
func TestSuite(t *testing.T) {
	seeds := 1
	if text := os.Getenv("INSTANTON_SUITE"); text != "" {
		var err error
		if seeds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		t.Skip("samples some forty models")
	}
	counts := map[string]map[string]int{}
	var kinds []string
	alarms, good, assurances := 0, 0, 0
	for k, c := range suite() {
		if seeds == 1 && k%6 != 0 && (c.kind != "made" || c.mixes) {
			continue
		}
		row := c.kind + ", " + map[bool]string{true: "mixes", false: "does not"}[c.mixes]
		if counts[row] == nil {
			counts[row] = map[string]int{}
			kinds = append(kinds, row)
		}
		for seed := range uint64(seeds) {
			s := c.samples(t, seed+1)
			modes := must(mixing.PCA(s.V))
			if s.Model != nil && s.Model.Patterns != nil {
				modes = must(mixing.Patterns(s.Model))
			}
			d := must(mixing.Diagnose(s, modes))
			counts[row][string(d.Verdict)]++
			switch {
			case !c.mixes && d.Verdict == mixing.Mixes:
				assurances++
				t.Errorf("%s, %s, seed %d: false assurance: %s", c.kind, c.name, seed+1, d.Reason)
			case c.mixes && (d.Verdict == mixing.Stuck || d.Verdict == mixing.TooShort):
				alarms++
				t.Logf("%s, %s, seed %d: alarm: %s, %s", c.kind, c.name, seed+1, d.Verdict, d.Reason)
			}
			if c.mixes {
				good++
			}
		}
	}
	if most := 0.05*float64(good) + 2*math.Sqrt(0.05*float64(good)); float64(alarms) > most {
		t.Errorf("%d false alarms in %d runs that mix: expected at most %.0f", alarms, good, most)
	}
	if seeds > 1 {
		for _, row := range kinds {
			t.Logf("| %s | %d | %d | %d | %d |", row, counts[row]["mixes"], counts[row]["one mode seen"],
				counts[row]["too short"], counts[row]["stuck"])
		}
		t.Logf("false assurances: %d; alarms: %d of %d", assurances, alarms, good)
	}
}
