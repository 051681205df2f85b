package tempering

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// Mixture is a mixture of models of independent sites, q(v,z) = π_z Π_i q_i(v_i|z): a law that knows where the data are
// and can be drawn from exactly. Its components belong to classes.
//
// It is an RBM with a single hidden Potts unit z, normalised so that log Z = 0.
type Mixture struct {
	model  *rbm.RBM
	engine *batch.CPU
	class  []int     // of each component
	broad  bool      // the last component is the independent sites of all data
	log    []float64 // log π_z
}

// Components and Classes are the numbers of both.
func (q *Mixture) Components() int { return len(q.class) }
func (q *Mixture) Classes() int    { return q.class[len(q.class)-1] + 1 }

// Model is the mixture as an RBM with one hidden Potts unit, whose state is the component; log Z is zero.
func (q *Mixture) Model() *rbm.RBM { return q.model }

// Class is the class of a component.
func (q *Mixture) Class(component int) int { return q.class[component] }

// Classify sets dst to the class of the most probable component of each configuration.
func (q *Mixture) Classify(dst []int, v *unit.States) {
	const block = 512
	rows, inputs := q.engine.Worker(), make([]float64, block*q.Components())
	for lo := 0; lo < v.Len; lo += block {
		hi := min(lo+block, v.Len)
		q.classify(dst[lo:hi], inputs, rows, v, lo)
	}
}

// classify is Classify for one goroutine, on rows of v starting at row lo.
func (q *Mixture) classify(dst []int, inputs []float64, rows batch.Worker, v *unit.States, lo int) {
	n := len(q.class)
	rows.Inputs(inputs[:len(dst)*n], batch.Hidden, v, lo)
	own := q.model.Hidden.(*rbm.Potts).Fields
	for k := range dst {
		best, at := math.Inf(-1), 0
		for z, x := range inputs[k*n : (k+1)*n] {
			if x += own[z]; x > best {
				best, at = x, z
			}
		}
		dst[k] = q.class[at]
	}
}

// drawBroad sets every so-many-th configuration to a draw from the broad component.
func (q *Mixture) drawBroad(v *unit.States, every int, seed uint64) {
	z := unit.NewStates(q.model.Hidden.Spec(), 1)
	z.Codes[0] = uint8(len(q.class) - 1)
	rows := q.engine.Worker()
	for k := every - 1; k < v.Len; k += every {
		s := batch.Stream{Seed: seed, Chain: pilotFirst + uint32(k), Sweep: startSweep}
		rows.Draw(batch.Visible, v, k, z, 0, 1, s)
	}
}

// Sizes of the fit.
const (
	mostComponents  = 250
	perClass        = 40 // components of each class, if there are labels
	unlabelled      = 12 // components without labels, each a class of its own
	mostRows        = 20000
	rounds          = 25
	prior           = 1.0  // weight of the prior, in configurations
	uniformOfPrior  = 0.05 // share of the uniform law in the prior
	uniformOfStarts = 0.3
)

// FitMixture fits a mixture to configurations of discrete units by expectation maximisation. With labels, every class
// has components of its own and all classes the same weight. Without, every component is a class, and a broad one is
// added, the independent sites of all data, for what is like none of them: the disordered phase at a first-order
// transition. A number of components of 0 stands for 40 for each class, or 12.
func FitMixture(data *unit.States, labels []int, components int, seed uint64, workers int) (*Mixture, error) {
	if data == nil || data.Len == 0 {
		return nil, errors.New("a mixture is fitted to data, and there are none: expected some from every mode")
	}
	if !data.Type.Discrete() {
		return nil, fmt.Errorf("a mixture of independent sites for %s: expected spin, Bernoulli or Potts units",
			data.Spec)
	}
	if labels != nil && len(labels) != data.Len {
		return nil, fmt.Errorf("%d labels for %d configurations: expected one each", len(labels), data.Len)
	}
	f := newFit(data, labels, seed)
	classes := 1
	if f.label != nil {
		classes = len(f.of)
	}
	switch {
	case components == 0 && f.label != nil:
		components = min(perClass*classes, mostComponents/classes*classes)
	case components == 0:
		components = unlabelled
	}
	if components < 2 || components < classes || components > mostComponents {
		return nil, fmt.Errorf("a mixture of %d components for %d classes: expected at least 2, one for each class, "+
			"and at most %d", components, classes, mostComponents)
	}
	return f.run(components, workers)
}

// fit is a fit under way.
type fit struct {
	data  *unit.States
	label []int   // class of each row, numbered from 0; nil without labels
	of    [][]int // rows of each class; all rows without labels
	broad bool    // the last component is the independent sites of all data
	rand  *rand.Rand
}

func newFit(data *unit.States, labels []int, seed uint64) *fit {
	f := &fit{data: data, rand: rng.New(seed, rng.Cluster, 0, 1).Rand()}
	if data.Len > mostRows {
		f.data = unit.NewStates(data.Spec, mostRows)
		thin := make([]int, mostRows)
		for k := range thin {
			row := k * data.Len / mostRows
			f.data.CopyRow(k, data, row)
			if labels != nil {
				thin[k] = labels[row]
			}
		}
		if labels != nil {
			labels = thin
		}
	}
	number := map[int]int{}
	for k := range f.data.Len {
		at := 0
		if labels != nil {
			var known bool
			if at, known = number[labels[k]]; !known {
				at = len(number)
				number[labels[k]] = at
			}
			f.label = append(f.label, at)
		}
		if at == len(f.of) {
			f.of = append(f.of, nil)
		}
		f.of[at] = append(f.of[at], k)
	}
	if len(f.of) == 1 && f.label != nil {
		f.label = nil // a single class
	}
	return f
}

// run alternates between posteriors of the components and their averages.
func (f *fit) run(components, workers int) (*Mixture, error) {
	var starts, ends []int // rows, and the number of components up to the end of each class
	for _, rows := range f.of {
		starts = append(starts, f.starts(rows, components/len(f.of))...)
		ends = append(ends, len(starts))
	}
	if f.broad = f.label == nil || len(starts) < 2; f.broad {
		starts = append(starts, starts[0]) // not where it will begin
	}
	components = len(starts)
	m, err := rbm.New(f.data.Spec, unit.Spec{Type: unit.Potts, N: 1, Q: components})
	if err != nil {
		return nil, err
	}
	q := &Mixture{model: m, class: make([]int, components), log: make([]float64, components)}
	for z := range q.class {
		if q.class[z] = z; f.label != nil {
			q.class[z] = sort.SearchInts(ends, z+1)
		}
	}
	width := f.data.Width()
	p, share := make([]float64, components*width), make([]float64, components)
	mean := f.averages()
	x := make([]float64, f.data.N)
	q.broad = f.broad
	for z, row := range starts { // each component begins at a configuration
		f.data.Values(x, row)
		at := p[z*width:][:width]
		for c := range at {
			at[c] = uniformOfStarts * mean[c]
		}
		for i, xi := range x {
			if c, on := f.channel(i, xi); on {
				at[c] += 1 - uniformOfStarts
			}
		}
		share[z] = 1
	}
	f.setBroad(p, share, mean)
	posterior := make([]float64, f.data.Len*components)
	for round := range rounds {
		f.set(q, p, share)
		if q.engine == nil {
			q.engine, err = batch.New(m, workers)
		} else {
			err = q.engine.Set(m)
		}
		if err != nil || round == rounds-1 {
			return q, err
		}
		q.engine.Means(posterior, batch.Hidden, f.data)
		f.maximise(q, posterior, mean, p, share)
		f.setBroad(p, share, mean)
	}
	return q, nil
}

// starts picks n rows that lie apart, fewer if not so many differ: each with a probability in proportion to its
// distance to the nearest one before (k-means++).
func (f *fit) starts(rows []int, n int) []int {
	candidates := rows
	if len(rows) > startRows {
		candidates = make([]int, startRows)
		for k := range candidates {
			candidates[k] = rows[k*len(rows)/startRows]
		}
	}
	picked := []int{candidates[f.rand.IntN(len(candidates))]}
	distance := make([]float64, len(candidates))
	for k := range distance {
		distance[k] = math.Inf(1)
	}
	a, b := make([]float64, f.data.N), make([]float64, f.data.N)
	for len(picked) < n {
		f.data.Values(a, picked[len(picked)-1])
		var total float64
		for k, row := range candidates {
			f.data.Values(b, row)
			var d float64
			for i := range a {
				if a[i] != b[i] {
					d++
				}
			}
			distance[k] = min(distance[k], d)
			total += distance[k]
		}
		if total == 0 {
			break
		}
		u, at := f.rand.Float64()*total, 0
		for at < len(candidates)-1 && (u >= distance[at] || distance[at] == 0) {
			u -= distance[at]
			at++
		}
		for distance[at] == 0 { // rounding at the end
			at--
		}
		picked = append(picked, candidates[at])
	}
	return picked
}

// startRows is the number of rows among which starts are chosen.
const startRows = 2000

// setBroad keeps the broad component what it is.
func (f *fit) setBroad(p, share, mean []float64) {
	if !f.broad {
		return
	}
	last := len(share) - 1
	copy(p[last*len(mean):], mean)
	share[last] = 0
	for _, w := range share[:last] {
		share[last] += w / float64(last)
	}
}

// channel is the channel whose probability a value counts for: that of its state for Potts units, otherwise the one of
// its unit, if the value is the upper one.
func (f *fit) channel(i int, x float64) (c int, on bool) {
	if f.data.Type == unit.Potts {
		return i*f.data.Q + int(x), true
	}
	return i, x > 0
}

// averages is the probability of every channel, pulled towards the uniform law.
func (f *fit) averages() []float64 {
	mean := make([]float64, f.data.Width())
	x := make([]float64, f.data.N)
	for k := range f.data.Len {
		f.data.Values(x, k)
		for i, xi := range x {
			if c, on := f.channel(i, xi); on {
				mean[c] += 1 / float64(f.data.Len)
			}
		}
	}
	for c := range mean {
		mean[c] = (1-uniformOfPrior)*mean[c] + uniformOfPrior/float64(f.data.States())
	}
	return mean
}

// maximise sets the components to the averages over their posteriors.
func (f *fit) maximise(q *Mixture, posterior, mean, p, share []float64) {
	n, width := len(share), len(mean)
	clear(share)
	for z := range n {
		for c, m := range mean {
			p[z*width+c] = prior * m
		}
	}
	x := make([]float64, f.data.N)
	channels := make([]int, 0, f.data.N)
	for k := range f.data.Len {
		row := posterior[k*n : (k+1)*n]
		if f.label != nil {
			restrict(row, q.class, f.label[k])
		}
		f.data.Values(x, k)
		channels = channels[:0]
		for i, xi := range x {
			if c, on := f.channel(i, xi); on {
				channels = append(channels, c)
			}
		}
		for z, w := range row {
			if w < 1e-4 {
				continue
			}
			share[z] += w
			at := p[z*width:][:width]
			for _, c := range channels {
				at[c] += w
			}
		}
	}
	for z, w := range share {
		for c := range width {
			p[z*width+c] /= w + prior
		}
	}
}

// restrict keeps the components of one class.
func restrict(row []float64, class []int, label int) {
	var sum float64
	for z := range row {
		if class[z] != label {
			row[z] = 0
		}
		sum += row[z]
	}
	if sum == 0 { // as unlikely as can be: all components of the class alike
		for z := range row {
			if class[z] == label {
				row[z] = 1
				sum++
			}
		}
	}
	for z := range row {
		row[z] /= sum
	}
}

// set writes the mixture as an RBM: the weights are log p for Potts units, half and whole log-odds for spins and
// Bernoulli units; the fields of z hold log π_z and what normalises the sites. With labels all classes weigh the same.
func (f *fit) set(q *Mixture, p, share []float64) {
	n := len(share)
	total := make([]float64, q.Classes())
	for z, w := range share {
		at := 0
		if f.label != nil {
			at = q.class[z]
		}
		total[at] += w + prior
	}
	groups := 1.0
	if f.label != nil {
		groups = float64(len(f.of))
	}
	fields := q.model.Hidden.(*rbm.Potts).Fields
	width := len(p) / n
	for z, w := range share {
		at := 0
		if f.label != nil {
			at = q.class[z]
		}
		q.log[z] = math.Log((w + prior) / total[at] / groups)
		fields[z] = q.log[z]
		for c, x := range p[z*width:][:width] {
			switch f.data.Type {
			case unit.Potts:
				q.model.Row(c)[z] = math.Log(x)
			case unit.Bernoulli:
				q.model.Row(c)[z] = math.Log(x / (1 - x))
				fields[z] += math.Log(1 - x)
			default:
				q.model.Row(c)[z] = math.Log(x/(1-x)) / 2
				fields[z] += math.Log(x*(1-x)) / 2
			}
		}
	}
}
