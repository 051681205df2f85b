package lattice

import "math"

// padded is a sequence followed by the residue that contributes nothing.
type padded [Length + 1]uint8

// none is that residue; its row and column of factors are one.
const none = Residues

// factors[a][b] is e^{−E_MJ}, or one if a partner is missing.
var factors = func() (f [Residues + 1][Residues + 1]float64) {
	for a := range f {
		for b := range f[a] {
			f[a][b] = 1
			if a < none && b < none {
				f[a][b] = boltzmann[a][b]
			}
		}
	}
	return f
}()

func pad(v Sequence) (p padded) {
	copy(p[:], v[:])
	p[nobody] = uint8(none)
	return p
}

// product is the factor of a residue with the given set of partners; f has its factors with each type of residue.
func (p *padded) product(f *[Residues + 1]float64, set *[maxPartners]uint8) float64 {
	return f[p[set[0]]] * f[p[set[1]]] * (f[p[set[2]]] * f[p[set[3]]])
}

// factorTable has the factor of every partner set of the even residues.
type factorTable [maxFactors]float64

// fill computes the factors of a sequence.
func (t *factorTable) fill(c *Competitors, v Sequence) {
	p := pad(v)
	for k := range evens {
		f := &factors[v[2*k]]
		for g := range c.groups[2*k].sets {
			t[c.offset[k]+g] = p.product(f, &c.groups[2*k].sets[g])
		}
	}
}

// weight is e^{−E} of structure s of the set.
func (t *factorTable) weight(c *Competitors, s int) float64 {
	return t.product((*[evens]uint16)(c.rows[s*evens:]))
}

func (t *factorTable) product(r *[evens]uint16) float64 {
	const m = maxFactors - 1 // lets the compiler drop bounds checks
	a := t[r[0]&m] * t[r[1]&m] * t[r[2]&m] * t[r[3]&m]
	b := t[r[4]&m] * t[r[5]&m] * t[r[6]&m] * t[r[7]&m]
	d := t[r[8]&m] * t[r[9]&m] * t[r[10]&m]
	e := t[r[11]&m] * t[r[12]&m] * t[r[13]&m]
	return (a * b) * (d * e)
}

// sum is Σ_S e^{−E(v,S)} over the set.
func (t *factorTable) sum(c *Competitors) (z float64) {
	for rows := c.rows; len(rows) >= evens; rows = rows[evens:] {
		z += t.product((*[evens]uint16)(rows))
	}
	return z
}

// Partition is Z(v) = Σ_S e^{−E(v,S)} over the set. With energies between −28·7.37 and −28·0.12 it neither overflows
// nor underflows.
func (c *Competitors) Partition(v Sequence) float64 {
	var t factorTable
	t.fill(c, v)
	return t.sum(c)
}

// Pnat is the probability that v folds into the structure with the given index, P_nat = e^{−E(v,S)} / Z. S need not be
// in the set, and is counted once in Z.
func (c *Competitors) Pnat(index int, v Sequence) float64 {
	var t factorTable
	t.fill(c, v)
	z := t.sum(c)
	if s, ok := c.place(index); ok {
		return t.weight(c, s) / z
	}
	native := math.Exp(-Energy(v, c.space.structures[index]))
	return native / (native + z)
}
