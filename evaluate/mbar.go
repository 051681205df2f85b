package evaluate

import (
	"fmt"
	"math"

	"instanton/internal/parallel"
	"instanton/internal/special"
)

// MBAR finds the differences of log Z between laws e^{−u_k(x)} from samples of each of them, by the multistate
// Bennett acceptance ratio (Shirts and Chodera, J. Chem. Phys. 129, 124105, 2008): the solution of
//
//	Z_k = Σ_n e^{−u_k(x_n)} / Σ_l N_l e^{−u_l(x_n)}/Z_l,
//
// where n runs over the samples of all laws, N_l of which come from law l. u[k][n] is the reduced energy u_k of
// sample n under law k; counts are the N_l. It returns log Z_k − log Z_0.
func MBAR(u [][]float64, counts []int) ([]float64, error) {
	total := 0
	for _, n := range counts {
		total += n
	}
	if len(u) == 0 || len(counts) != len(u) || total == 0 {
		return nil, fmt.Errorf("%d laws with %d counts and %d samples in all: expected a count for each law and "+
			"some samples", len(u), len(counts), total)
	}
	for k := range u {
		if len(u[k]) != total || counts[k] < 0 {
			return nil, fmt.Errorf("law %d has %d reduced energies and %d samples of its own: expected %d energies, "+
				"one for each sample", k, len(u[k]), counts[k], total)
		}
	}
	f := make([]float64, len(u))
	neighbours(f, u, counts)
	logs := make([]float64, total) // of the denominators
	next := make([]float64, len(u))
	const (
		rounds    = 100
		tolerance = 1e-6
	)
	for range rounds {
		denominators(logs, f, u, counts)
		parallel.For(0, len(u), func(_, k int) {
			terms := make([]float64, total)
			for n := range terms {
				terms[n] = -u[k][n] - logs[n]
			}
			next[k] = special.LogSumExp(terms)
		})
		var change float64
		for k := len(f) - 1; k >= 0; k-- {
			next[k] -= next[0]
			change = max(change, math.Abs(next[k]-f[k]))
		}
		copy(f, next)
		if !(change > tolerance) {
			break
		}
	}
	for k, x := range f {
		if !special.Finite(x) {
			return nil, fmt.Errorf("log Z of law %d comes out as %g: expected laws that overlap", k, x)
		}
	}
	return f, nil
}

// denominators sets logs to log Σ_l N_l e^{−f_l−u_l(x_n)} of every sample, with f = log Z.
func denominators(logs, f []float64, u [][]float64, counts []int) {
	blocks := parallel.Blocks(len(logs), 512)
	parallel.For(0, len(blocks), func(_, b int) {
		var terms []float64
		for n := blocks[b].Lo; n < blocks[b].Hi; n++ {
			terms = terms[:0]
			for l, count := range counts {
				if count > 0 {
					terms = append(terms, math.Log(float64(count))-f[l]-u[l][n])
				}
			}
			logs[n] = special.LogSumExp(terms)
		}
	})
}

// neighbours starts from Bennett's estimate between each law and the next.
func neighbours(f []float64, u [][]float64, counts []int) {
	from := 0
	for k := 0; k+1 < len(u); k++ {
		var p bridgePaths
		for n := from; n < from+counts[k]; n++ {
			p.up, p.in = append(p.up, u[k][n]-u[k+1][n]), append(p.in, true)
		}
		from += counts[k]
		for n := from; n < from+counts[k+1]; n++ {
			p.down = append(p.down, u[k][n]-u[k+1][n])
		}
		f[k+1] = f[k]
		if len(p.up) > 0 && len(p.down) > 0 {
			z, _ := p.logZ()
			f[k+1] += z
		}
	}
}
