package theory

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// signedPermutation maps hidden values by (g h)_μ = sign_μ · h_{from_μ}.
type signedPermutation struct {
	from []int
	sign []float64
}

func (g signedPermutation) apply(h []float64) []float64 {
	out := make([]float64, len(h))
	for mu := range out {
		out[mu] = g.sign[mu] * h[g.from[mu]]
		if out[mu] == 0 {
			out[mu] = 0 // no −0
		}
	}
	return out
}

// symmetries generates the group of signed permutations of the hidden units that leave e(h) unchanged: permuting units
// of equal potential, reversing units of even potential, such that the classes of visible spins are carried onto
// classes of the same size. A stabiliser chain gives the generators: for every unit, one element that keeps the units
// before it and carries it to each place it can go.
func (l *Landscape) symmetries() []signedPermutation {
	m := l.units
	targets := make([]map[string]float64, m+1)
	for k := 1; k <= m; k++ {
		targets[k] = l.profile(identity(k), k)
	}
	var generators []signedPermutation
	for base := range m {
		for image := base; image < m; image++ {
			for _, sign := range []float64{1, -1} {
				if image == base && sign == 1 {
					continue
				}
				g := identity(base)
				g.from, g.sign = append(g.from, image), append(g.sign, sign)
				if l.extendSymmetry(&g, targets) {
					generators = append(generators, g)
				}
			}
		}
	}
	return generators
}

func identity(k int) signedPermutation {
	g := signedPermutation{make([]int, k), make([]float64, k)}
	for i := range k {
		g.from[i], g.sign[i] = i, 1
	}
	return g
}

// extendSymmetry completes the images of the first units to a symmetry, by backtracking.
func (l *Landscape) extendSymmetry(g *signedPermutation, targets []map[string]float64) bool {
	k := len(g.from)
	last := k - 1
	u := l.hidden[g.from[last]]
	if u.name != l.hidden[last].name || (g.sign[last] < 0 && !u.Even()) {
		return false
	}
	if !sameProfile(l.profile(*g, k), targets[k]) {
		return false
	}
	if k == l.units {
		return true
	}
	used := map[int]bool{}
	for _, i := range g.from {
		used[i] = true
	}
	for image := range l.units {
		for _, sign := range []float64{1, -1} {
			if used[image] {
				continue
			}
			g.from, g.sign = append(g.from[:k], image), append(g.sign[:k], sign)
			if l.extendSymmetry(g, targets) {
				return true
			}
		}
	}
	g.from, g.sign = g.from[:k], g.sign[:k]
	return false
}

// profile is the share of spins that sees each combination of weights to the first k images, up to a common sign (which
// the spin itself can absorb).
func (l *Landscape) profile(g signedPermutation, k int) map[string]float64 {
	shares := make(map[string]float64, len(l.share))
	row := make([]float64, k+1)
	var text strings.Builder
	for c, p := range l.share {
		for i := range k {
			row[i] = math.Round(1e9*g.sign[i]*l.weight[c*l.units+g.from[i]]) + 0
		}
		row[k] = math.Round(1e9*l.bias[c]) + 0
		sign := 1.0
		for _, x := range row {
			if x != 0 {
				sign = math.Copysign(1, x)
				break
			}
		}
		text.Reset()
		for _, x := range row {
			fmt.Fprintf(&text, "%.0f,", sign*x+0)
		}
		shares[text.String()] += p
	}
	return shares
}

func sameProfile(a, b map[string]float64) bool {
	if len(a) != len(b) {
		return false
	}
	for k, x := range a {
		if y, ok := b[k]; !ok || math.Abs(x-y) > 1e-9 {
			return false
		}
	}
	return true
}

// orbit lists everything that the generators make out of a list of vectors, the list itself first. Points closer than
// 1e-6 are the same.
func orbit(seed [][]float64, generators []signedPermutation, limit int) [][][]float64 {
	found := [][][]float64{seed}
	seen := map[string]bool{pointKey(seed...): true}
	for next := 0; next < len(found) && len(found) < limit; next++ {
		for _, g := range generators {
			image := make([][]float64, len(seed))
			for i, h := range found[next] {
				image[i] = g.apply(h)
			}
			if k := pointKey(image...); !seen[k] {
				seen[k] = true
				found = append(found, image)
			}
		}
	}
	return found
}

// pointKey names points up to 1e-6.
func pointKey(points ...[]float64) string {
	bytes := make([]byte, 0, 8*len(points)*len(points[0]))
	for _, h := range points {
		for _, x := range h {
			bytes = binary.LittleEndian.AppendUint64(bytes, uint64(int64(math.Round(x*1e6))))
		}
	}
	return string(bytes)
}
