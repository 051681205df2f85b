package tempering

import (
	"context"
	"fmt"
	"math"
	"testing"

	"instanton/internal/problem"
	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func spec(text string) unit.Spec { return must(unit.ParseSpec(text)) }

// rungLaw is the law of one rung, written out over the configurations of v from energies alone, and the matrix of one
// step on it.
type rungLaw struct {
	energy []float64
	step   [][]float64
}

// boltzmann is ∝ e^{−energy}.
func boltzmann(energy []float64) []float64 {
	p := make([]float64, len(energy))
	for a, e := range energy {
		p[a] = -e
	}
	z := special.LogSumExp(p)
	for a := range p {
		p[a] = math.Exp(p[a] - z)
	}
	return p
}

// digits writes a state of the extended space as one state per rung; rung 0 runs fastest.
func digits(index, size, rungs int) []int {
	d := make([]int, rungs)
	for r := range d {
		d[r] = index % size
		index /= size
	}
	return d
}

func number(d []int, size int) (index int) {
	for r := len(d) - 1; r >= 0; r-- {
		index = index*size + d[r]
	}
	return index
}

// written is the matrix of one sweep on the extended space, a step on every rung and then the exchanges of one parity,
// and the law that it leaves invariant.
func written(t *testing.T, laws []rungLaw, exchange exchangeLaw, parity int) (*rbm.Transition, []float64) {
	t.Helper()
	size, rungs := len(laws[0].energy), len(laws)
	total := int(math.Pow(float64(size), float64(rungs)))
	pi := make([]float64, total)
	for x := range pi {
		pi[x] = 1
	}
	for r, l := range laws {
		p := boltzmann(l.energy)
		for x := range pi {
			pi[x] *= p[digits(x, size, rungs)[r]]
		}
	}
	var swap func(d []int, r int, p float64, emit func(to int, p float64))
	swap = func(d []int, r int, p float64, emit func(to int, p float64)) {
		if r+1 >= rungs {
			emit(number(d, size), p)
			return
		}
		low, high := d[r], d[r+1]
		exchange(r, low, high, func(a, b int, q float64) {
			d[r], d[r+1] = a, b
			swap(d, r+2, p*q, emit)
		})
		d[r], d[r+1] = low, high
	}
	m, err := rbm.NewTransition(total, 1e-9, func(from int, emit func(to int, p float64)) {
		at := digits(from, size, rungs)
		for to := range total {
			d, p := digits(to, size, rungs), 1.0
			for r := range d {
				p *= laws[r].step[at[r]][d[r]]
			}
			swap(d, parity, p, emit)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, pi
}

// prove checks that the matrix leaves its law invariant, and that the code follows it: chains and replicas in
// equilibrium make one sweep of each parity, and the pairs (before, after) are compared with P(a) T(a,b) by χ².
func prove(t *testing.T, k *Kernel, laws []rungLaw) {
	t.Helper()
	proveWith(t, k, laws, func(r, low, high int, emit func(low, high int, p float64)) {
		f, g := laws[r].energy, laws[r+1].energy
		accept := min(1, math.Exp(f[low]+g[high]-f[high]-g[low]))
		emit(high, low, accept)
		emit(low, high, 1-accept)
	})
}

// exchangeLaw emits what an exchange of rungs r and r+1 makes of a pair of states, with its probability.
type exchangeLaw func(r, low, high int, emit func(low, high int, p float64))

func proveWith(t *testing.T, k *Kernel, laws []rungLaw, exchange exchangeLaw) {
	t.Helper()
	const n = 40000
	for parity := range 2 {
		matrix, pi := written(t, laws, exchange, parity)
		if e := matrix.StationaryError(pi); e > 1e-12 {
			t.Errorf("parity %d: the law is not stationary: error %g", parity, e)
		}
		c := sampler.NewChains(k.model, n, 17)
		c.Sweep = uint64(parity)
		if err := k.Begin(c); err != nil {
			t.Fatal(err)
		}
		batches := append(append([]*unit.States(nil), c.Replicas...), c.V)
		start, x := make([]int, n), make([]float64, 2)
		states, law := make([]*rbm.Space, len(batches)), make([][]float64, len(batches))
		for rung, s := range batches {
			law[rung] = boltzmann(laws[rung].energy)
			states[rung] = must(rbm.NewSpace(s.Spec))
		}
		r := rng.New(99, rng.Data, 0, 0).Rand()
		for j := range start {
			d := make([]int, len(batches))
			for rung, s := range batches {
				u := r.Float64()
				for a, p := range law[rung] {
					d[rung] = a
					if u -= p; u < 0 {
						break
					}
				}
				states[rung].State(x[:s.N], d[rung])
				s.SetValues(j, x)
			}
			start[j] = number(d, states[0].Size())
		}
		if err := sampler.NewPool(k, 2).Run(context.Background(), c, 1); err != nil {
			t.Fatal(err)
		}
		size := len(pi)
		observed, expected := make([]float64, size*size), make([]float64, size*size)
		for j := range n {
			d := make([]int, len(batches))
			for rung, s := range batches {
				s.Values(x, j)
				d[rung] = states[rung].Index(x[:s.N])
			}
			observed[start[j]*size+number(d, states[0].Size())]++
		}
		for a, p := range pi {
			for b := range size {
				expected[a*size+b] = n * p * matrix.At(a, b)
			}
		}
		problem.ChiSquare(t, observed, expected)
	}
}

// rows copies a matrix.
func rows(m *rbm.Transition) [][]float64 {
	out := make([][]float64, m.Size())
	for a := range out {
		out[a] = make([]float64, m.Size())
		for b := range out[a] {
			out[a][b] = m.At(a, b)
		}
	}
	return out
}

// gibbs is the law P(v)^β of a rung and the matrix of alternating Gibbs sampling on it.
func gibbs(m *rbm.RBM, beta float64) rungLaw {
	v := must(rbm.NewSpace(m.Visible.Spec()))
	g := must(sampler.NewGibbs(m, beta))
	law := rungLaw{energy: make([]float64, v.Size()), step: rows(must(g.Transition(v, problem.Space(g.Hidden()))))}
	x := make([]float64, v.Spec().N)
	for a := range law.energy {
		v.State(x, a)
		law.energy[a] = beta * m.EffectiveEnergy(x)
	}
	return law
}

// weigh gives classes weights: a step that changes the class is accepted with probability min(1, e^{Δg}).
func (l rungLaw) weigh(class []int, g []float64) rungLaw {
	out := rungLaw{energy: make([]float64, len(l.energy)), step: make([][]float64, len(l.energy))}
	for a := range l.energy {
		out.energy[a] = l.energy[a] - g[class[a]]
		out.step[a] = make([]float64, len(l.energy))
		for b, p := range l.step[a] {
			accept := min(1, math.Exp(g[class[b]]-g[class[a]]))
			out.step[a][b] += p * accept
			out.step[a][a] += p * (1 - accept)
		}
	}
	return out
}

func TestBetaLadder(t *testing.T) {
	for _, hidden := range []string{"spin:2", "gaussian:1", "potts:1x3"} {
		t.Run(hidden, func(t *testing.T) {
			m := must(rbm.Random(spec("spin:2"), spec(hidden), 1, 7))
			betas := []float64{0, 0.6, 1.3}
			k := &Kernel{ladder: must(newBetaLadder(m, betas)), model: m, beta: 1.3}
			var laws []rungLaw
			for _, beta := range betas {
				laws = append(laws, gibbs(m, beta))
			}
			prove(t, k, laws)
		})
	}
}

// tinyMixture is a mixture of two components and a broad one on a few units, and the class of every configuration.
func tinyMixture(visible unit.Spec) (*Mixture, []int) {
	source := must(rbm.Random(visible, unit.Spec{Type: unit.Spin, N: 1}, 1.5, 5))
	c := sampler.NewChains(source, 200, 3)
	if err := sampler.NewPool(must(sampler.NewGibbs(source, 1)), 1).Run(context.Background(), c, 3); err != nil {
		panic(err)
	}
	q := must(FitMixture(c.V, nil, 2, 1, 1))
	v := must(rbm.NewSpace(visible))
	all, x := unit.NewStates(visible, v.Size()), make([]float64, visible.N)
	for a := range v.Size() {
		v.State(x, a)
		all.SetValues(a, x)
	}
	class := make([]int, v.Size())
	q.Classify(class, all)
	return q, class
}

// mixed is the law at b between a mixture and a model, and the matrix of one step: h and z given v, then v given both,
// written out from bE(v,h) − (1−b) log q(v,z).
func mixed(m *rbm.RBM, q *Mixture, b float64) rungLaw {
	v, h := must(rbm.NewSpace(m.Visible.Spec())), problem.Space(m.Hidden)
	x, y := make([]float64, v.Spec().N), make([]float64, h.Spec().N)
	joint := make([][]float64, v.Size()) // e^{−energy} by v and (h,z)
	law := rungLaw{energy: make([]float64, v.Size())}
	for a := range joint {
		v.State(x, a)
		var sum float64
		for j := range h.Size() {
			h.State(y, j)
			for z := range q.Components() {
				log := -q.model.Energy(x, []float64{float64(z)})
				w := h.Weight(j) * math.Exp((1-b)*log-b*m.Energy(x, y))
				joint[a] = append(joint[a], w)
				sum += w
			}
		}
		law.energy[a] = -math.Log(sum)
		law.step = append(law.step, make([]float64, v.Size()))
	}
	for j := range joint[0] {
		var sum float64
		for a := range joint {
			sum += joint[a][j]
		}
		for a := range joint {
			for to := range joint {
				law.step[a][to] += joint[a][j] / math.Exp(-law.energy[a]) * joint[to][j] / sum
			}
		}
	}
	return law
}

// drawn is the law of a mixture, drawn exactly.
func drawn(q *Mixture) rungLaw {
	v := must(rbm.NewSpace(q.model.Visible.Spec()))
	law, x := rungLaw{}, make([]float64, v.Spec().N)
	for a := range v.Size() {
		v.State(x, a)
		law.energy = append(law.energy, q.model.EffectiveEnergy(x))
	}
	for range v.Size() {
		law.step = append(law.step, boltzmann(law.energy))
	}
	return law
}

func TestMixtureLadder(t *testing.T) {
	for _, c := range [][2]string{{"spin:2", "spin:2"}, {"bernoulli:2", "relu:1"}, {"potts:1x3", "gaussian:1"}} {
		for _, balanced := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s-%s/balanced=%v", c[0], c[1], balanced), func(t *testing.T) {
				m := must(rbm.Random(spec(c[0]), spec(c[1]), 1, 7))
				q, class := tinyMixture(spec(c[0]))
				k := &Kernel{ladder: must(newMixtureLadder(m, q, []float64{0, 0.55, 1})), model: m, beta: 1}
				laws := []rungLaw{drawn(q), mixed(m, q, 0.55), gibbs(m, 1)}
				if balanced {
					k.balance = newBalance(q, 3)
					k.balance.weight[1] = []float64{0.6, -0.9, 0.3}
					laws[1] = laws[1].weigh(class, k.balance.weight[1])
				}
				prove(t, k, laws)
			})
		}
	}
}

func TestTrajectoryLadder(t *testing.T) {
	var models []*rbm.RBM
	var laws []rungLaw
	for k, hidden := range []string{"spin:1", "gaussian:1", "spin:2"} { // a layer may even change its units
		m := must(rbm.Random(spec("spin:2"), spec(hidden), 0.5*float64(k), uint64(k)))
		models, laws = append(models, m), append(laws, gibbs(m, 1))
	}
	k := &Kernel{ladder: must(newModelLadder("trajectory", "", models)), model: models[2], beta: 1}
	prove(t, k, laws)
}

// Stacked tempering: the matrix of an exchange sums over the hidden units h that are drawn for it.
func TestStackedLadder(t *testing.T) {
	stack := []*rbm.RBM{ // all with four visible configurations, as the matrix wants
		must(rbm.Random(spec("bernoulli:2"), spec("spin:2"), 1, 1)),
		must(rbm.Random(spec("spin:2"), spec("potts:1x4"), 1, 2)),
		must(rbm.Random(spec("potts:1x4"), spec("gaussian:1"), 1, 3)),
	}
	k := must(NewStacked(stack))
	var laws []rungLaw
	for n := len(stack) - 1; n >= 0; n-- {
		laws = append(laws, gibbs(stack[n], 1))
	}
	// Of the model on rung r+1: P(h|v), P(v|h) and F(h).
	up, down, hidden := make([][][]float64, 2), make([][][]float64, 2), make([][]float64, 2)
	for r := range up {
		m := stack[len(stack)-2-r]
		v, h := problem.Space(m.Visible), problem.Space(m.Hidden)
		up[r], down[r] = sampler.Conditional(m, v, h), sampler.Conditional(m.Transpose(), h, v)
		y := make([]float64, h.Spec().N)
		for j := range h.Size() {
			h.State(y, j)
			hidden[r] = append(hidden[r], m.HiddenEnergy(y))
		}
	}
	proveWith(t, k, laws, func(r, low, high int, emit func(low, high int, p float64)) {
		f := laws[r].energy // of the next model, over the same configurations as h
		for j, p := range up[r][high] {
			accept := min(1, math.Exp(hidden[r][j]-hidden[r][low]+f[low]-f[j]))
			for to, q := range down[r][low] {
				emit(j, to, p*accept*q)
			}
			for to, q := range down[r][j] {
				emit(low, to, p*(1-accept)*q)
			}
		}
	})
}
