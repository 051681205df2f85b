package lattice

import "math"

// Folding is a sequence with its Boltzmann weights W_S = e^{−E(v,S)} in all structures of a set, updated under
// mutations. Structures in which the mutated residue has the same partners change their weight by the same ratio, so a
// mutation takes no exponential and one product per structure.
type Folding struct {
	set    *Competitors
	native int // position of the native structure in the set
	v      padded
	weight []float64
	z      float64

	table factorTable            // of the sequence given to Set
	ratio [maxFactors]float64    // for each partner set of the mutated residue
	sums  [2][maxFactors]float64 // of the weights in each partner set
}

// NewFolding returns a Folding for sequences in the structures of a set, one of which, given by its index, is the
// native one. Set must be called first.
func NewFolding(set *Competitors, native int) (*Folding, error) {
	set, err := set.With(native)
	if err != nil {
		return nil, err
	}
	place, _ := set.place(native)
	return &Folding{set: set, native: place, weight: make([]float64, strides(set.Len()))}, nil
}

// Set computes all weights for a new sequence.
func (f *Folding) Set(v Sequence) {
	f.v = pad(v)
	f.z = 0
	f.table.fill(f.set, v)
	for s := range f.set.Len() {
		w := f.table.weight(f.set, s)
		f.weight[s] = w
		f.z += w
	}
}

// Sequence returns the current sequence.
func (f *Folding) Sequence() Sequence { return Sequence(f.v[:Length]) }

// Pnat is the probability that the current sequence folds into the native structure.
func (f *Folding) Pnat() float64 { return f.weight[f.native] / f.z }

// LogPnat is the logarithm of Pnat.
func (f *Folding) LogPnat() float64 { return math.Log(f.Pnat()) }

// ratios computes the factors by which the weights change if residue i becomes a.
func (f *Folding) ratios(i int, a uint8) {
	var change [Residues + 1]float64
	for b := range change {
		change[b] = factors[a][b] / factors[f.v[i]][b]
	}
	for g := range f.set.groups[i].sets {
		f.ratio[g] = f.v.product(&change, &f.set.groups[i].sets[g])
	}
}

// Mutant is P_nat of the sequence in which residue i is a.
func (f *Folding) Mutant(i int, a uint8) float64 {
	f.ratios(i, a)
	label := f.set.groups[i].of
	return f.weight[f.native] * f.ratio[label[f.native]] / scaledSum(f.weight, label, &f.ratio)
}

// Mutants sets pnat to P_nat for every residue at position i.
func (f *Folding) Mutants(i int, pnat *[Residues]float64) {
	sums := f.cavity(i)
	var z [Residues]float64
	for g, set := range f.set.groups[i].sets {
		x := sums[g]
		p, q, r, s := &factors[f.v[set[0]]], &factors[f.v[set[1]]], &factors[f.v[set[2]]], &factors[f.v[set[3]]]
		for a := range z {
			z[a] += x * (p[a] * q[a]) * (r[a] * s[a])
		}
	}
	of := f.set.groups[i].of[f.native]
	set := &f.set.groups[i].sets[of]
	rest := f.weight[f.native] / f.v.product(&factors[f.v[i]], set)
	for a := range z {
		pnat[a] = rest * f.v.product(&factors[a], set) / z[a]
	}
}

// cavity sums the weights in each partner set of residue i, without the factor of that residue.
func (f *Folding) cavity(i int) []float64 {
	g := &f.set.groups[i]
	n := len(g.sets)
	even, odd := &f.sums[0], &f.sums[1]
	clear(even[:n])
	clear(odd[:n])
	histogram(f.weight, g.of, even, odd)
	own := &factors[f.v[i]]
	for k := range g.sets {
		even[k] = (even[k] + odd[k]) / f.v.product(own, &g.sets[k])
	}
	return even[:n]
}

// Mutate changes residue i to a.
func (f *Folding) Mutate(i int, a uint8) {
	if f.v[i] == a {
		return
	}
	f.ratios(i, a)
	f.v[i] = a
	f.z = scale(f.weight, f.set.groups[i].of, &f.ratio)
}
