package mixing

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/unit"
)

// Resemblance compares the first third of every chain with the last third of every chain: if
// the chains mix, a chain's end resembles its own beginning no more than it does another
// chain's. It finds what two chains disagree on though no single quantity shows it, such as
// the correlation of two units. Similarity is the scalar product of standardised sites, or of
// standardised hidden means, and its square, which is that of all pairs of them.
type resemblance struct {
	name string
	// standard deviations of permuted chains by which the own end is nearer; 0 unless the true pairing beats all
	// permutations
	z     float64
	stays float64 // the similarity over a run, as a share of that within a third
}

// Numbers of draws per third and of permutations, and the limits of what is not due to chance.
const (
	thirdDraws      = 128
	permutations    = 20000
	resembles       = 4 // standard deviations; two groups of chains reach √(chains−1) at most
	resemblesStays  = 0.5
	leastToResemble = 12 // chains: fewer have too few permutations
	resembleWork    = 5e8
	resembleRows    = 6000
)

// resemble returns the worst of the comparisons, nil where there are too few chains or draws.
func resemble(s Samples) *resemblance {
	third := s.Draws / 3
	width := s.V.Width() // products of all pairs of draws, in a second or so
	if s.Model != nil {
		width = max(width, s.Model.Hidden.Spec().Width())
	}
	affordable := int(math.Sqrt(resembleWork/float64(width))) / s.Chains
	draws := min(third, thirdDraws, affordable, resembleRows/s.Chains) &^ 1 // they are halved below
	if s.Chains < leastToResemble || draws < 8 {
		return nil
	}
	ends := [2]*unit.States{unit.NewStates(s.V.Spec, s.Chains*draws), unit.NewStates(s.V.Spec, s.Chains*draws)}
	for c := range s.Chains {
		for t := range draws {
			at := t * third / draws
			ends[0].CopyRow(c*draws+t, s.V, c*s.Draws+at)
			ends[1].CopyRow(c*draws+t, s.V, (c+1)*s.Draws-third+at)
		}
	}
	var worst *resemblance
	look := func(name string, first, last *mat.Dense) {
		for power, what := range []string{name, "pairs of " + name} {
			if r := compareEnds(what, first, last, s.Chains, power+1); worst == nil || r.z > worst.z {
				worst = &r
			}
		}
	}
	sites := func(v *unit.States) *mat.Dense {
		x := mat.NewDense(v.Len, v.Width(), nil)
		for k := range v.Len {
			features(x.RawRowView(k), v, k)
		}
		return x
	}
	first, last := sites(ends[0]), sites(ends[1])
	standardise(first, last)
	look("sites", first, last)
	if s.Model != nil {
		engine, width := prepare(s.Model), s.Model.Hidden.Spec().Width()
		hidden := func(v *unit.States) *mat.Dense {
			x := mat.NewDense(v.Len, width, nil)
			engine.Means(x.RawMatrix().Data, batch.Hidden, v)
			return x
		}
		first, last := hidden(ends[0]), hidden(ends[1])
		standardise(first, last)
		look("hidden units", first, last)
	}
	return worst
}

// standardise gives every column of two matrices together mean zero and variance one; columns
// that are constant become zero.
func standardise(a, b *mat.Dense) {
	rows, cols := a.Dims()
	column := make([]float64, 2*rows)
	for j := range cols {
		mat.Col(column[:rows], j, a)
		mat.Col(column[rows:], j, b)
		mean, sd := stat.MeanStdDev(column, nil)
		for i := range rows {
			if sd > 0 {
				a.Set(i, j, (a.At(i, j)-mean)/sd)
				b.Set(i, j, (b.At(i, j)-mean)/sd)
			} else {
				a.Set(i, j, 0)
				b.Set(i, j, 0)
			}
		}
	}
}

// compareEnds measures by how much the last third of a chain is nearer to its own first third.
func compareEnds(name string, first, last *mat.Dense, chains, power int) resemblance {
	across := similarity(first, last, chains, power)
	own := func(pairing []int) (sum float64) {
		for a, b := range pairing {
			sum += across.At(a, b)
		}
		return sum
	}
	pairing := make([]int, chains)
	for c := range pairing {
		pairing[c] = c
	}
	observed := own(pairing)
	r := rng.New(0, rng.Thin, 1, 0).Rand()
	sums := make([]float64, permutations)
	for k := range sums {
		r.Shuffle(chains, func(i, j int) { pairing[i], pairing[j] = pairing[j], pairing[i] })
		sums[k] = own(pairing)
	}
	mean, sd := stat.MeanStdDev(sums, nil)
	within := similarity(odd(first), even(first), chains, power)
	out := resemblance{name: name}
	if sd > 0 && observed > floats.Max(sums) {
		out.z = (observed - mean) / sd
	}
	var kept float64
	for c := range chains {
		kept += within.At(c, c)
	}
	if kept > 0 {
		out.stays = observed / kept
	}
	return out
}

// similarity is the mean of (x·y/K)^power over the draws of each pair of chains, less the means
// over rows and columns.
func similarity(a, b *mat.Dense, chains, power int) *mat.Dense {
	s := mat.NewDense(chains, chains, nil)
	if power == 1 { // the mean of x·y is the product of the means
		_, cols := a.Dims()
		s.Mul(chainMeans(a, chains), chainMeans(b, chains).T())
		s.Scale(1/float64(cols), s)
	} else {
		meanSquares(s, a, b, chains)
	}
	total := mat.Sum(s) / float64(chains*chains)
	rowMeans, colMeans := make([]float64, chains), make([]float64, chains)
	for c := range chains {
		rowMeans[c] = stat.Mean(mat.Row(nil, c, s), nil)
		colMeans[c] = stat.Mean(mat.Col(nil, c, s), nil)
	}
	s.Apply(func(i, j int, x float64) float64 { return x - rowMeans[i] - colMeans[j] + total }, s)
	return s
}

// chainMeans are the means over the rows of each chain.
func chainMeans(x *mat.Dense, chains int) *mat.Dense {
	rows, cols := x.Dims()
	means := mat.NewDense(chains, cols, nil)
	for k := range rows {
		floats.AddScaled(means.RawRowView(k/(rows/chains)), float64(chains)/float64(rows), x.RawRowView(k))
	}
	return means
}

// meanSquares are the means of (x·y/K)² over the draws of each pair of chains. The products are those of float32: they
// differ from chain to chain by much more than its precision.
func meanSquares(s, a, b *mat.Dense, chains int) {
	rows, cols := a.Dims()
	other, _ := b.Dims()
	na, nb, sums := rows/chains, other/chains, make([]float64, chains)
	x := a.RawMatrix().Data
	left := make([]float32, na*cols)
	right := kernel.NewDense(cols, other)
	right.Set(kernel.View{Data: b.RawMatrix().Data, Row: 1, Col: cols})
	products, gemm := make([]float32, na*other), kernel.NewGEMM() // of one chain with all
	for c := range chains {
		for k, x := range x[c*na*cols : (c+1)*na*cols] {
			left[k] = float32(x)
		}
		clear(products)
		gemm.AddProduct(products, other, kernel.Left{Data: left, Row: cols, Step: 1}, na, right)
		clear(sums)
		for k := 0; k < len(products); k += nb {
			var sum float64
			for _, p := range products[k : k+nb] {
				sum += float64(p) * float64(p)
			}
			sums[k%other/nb] += sum
		}
		for d, sum := range sums {
			s.Set(c, d, sum/float64(na*nb)/float64(cols*cols))
		}
	}
}

// odd and even are every other row.
func odd(x *mat.Dense) *mat.Dense  { return everyOther(x, 1) }
func even(x *mat.Dense) *mat.Dense { return everyOther(x, 0) }

func everyOther(x *mat.Dense, from int) *mat.Dense {
	rows, cols := x.Dims()
	out := mat.NewDense(rows/2, cols, nil)
	for k := range rows / 2 {
		out.SetRow(k, x.RawRowView(2*k+from))
	}
	return out
}
