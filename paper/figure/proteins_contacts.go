package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"instanton/lattice"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/rbm"
)

// contactClaim compares the pairs of sites that the weights couple most with the contacts of the two structures.
func contactClaim(x *experiment.Proteins, r *verdict.Result) {
	native := map[lattice.Contact]bool{}
	for class := range 2 {
		for _, c := range x.Structure(class).Contacts() {
			native[c] = true
		}
	}
	pairs := couplings(x.Model)
	slices.SortStableFunc(pairs, func(a, b coupledPair) int { return cmp.Compare(b.strength, a.strength) })
	count := func(list []coupledPair) (n float64) {
		for _, p := range list {
			if native[p.sites] {
				n++
			}
		}
		return n
	}
	top := len(native)
	chance := count(pairs) / float64(len(pairs))
	precision := count(pairs[:top]) / float64(top)
	best := count(pairs[:top/4]) / float64(top/4)
	// the error that a random choice of as many pairs would have
	wide := math.Sqrt(chance * (1 - chance) / float64(top))
	table := r.Table("couplings", "Pairs of sites that can touch, by the strength of their coupling through the "+
		"hidden units.",
		"i", "j", "strength", "contact")
	for _, p := range pairs {
		table.Add(p.sites.I, p.sites.J, p.strength, fmt.Sprint(native[p.sites]))
	}
	r.Claim(verdict.Claim{
		Name: "contacts", Where: "section on lattice proteins",
		Statement: "The weights encode constraints such as the contacts of the structure.",
		Criterion: "of the pairs of sites that the hidden units couple most, as many as there are contacts in the " +
			"two structures, more are contacts than by chance, by four standard errors of a random choice among the " +
			"pairs that can touch",
		Measured: []verdict.Measured{{Name: "contacts of the two structures", Value: float64(top)},
			{Name: "pairs that can touch", Value: float64(len(pairs))},
			{Name: "share of contacts among the strongest as many", Value: precision, Error: wide},
			{Name: "among the strongest quarter of these", Value: best}, {Name: "by chance", Value: chance}},
		Verdict: verdict.Judge(precision > chance+4*wide),
	})
}

// coupledPair are two sites and how strongly hidden units couple them.
type coupledPair struct {
	sites    lattice.Contact
	strength float64
}

// couplings are the norms of Σ_μ W_iaμ W_jbμ over amino acids a, b, with Σ_a W_iaμ = 0, less what the mean couplings of
// the two sites make of it (average product correction), for all pairs of sites that can touch: an odd number of bonds,
// three at least, lies between them.
func couplings(m *rbm.RBM) (pairs []coupledPair) {
	sites, colours, units := m.Visible.Spec().N, m.Visible.Spec().Channels(), m.Hidden.Spec().Width()
	weight := make([][][]float64, sites) // by site and amino acid
	for i := range weight {
		mean := make([]float64, units)
		for a := range colours {
			for mu, w := range m.Row(i*colours + a)[:units] {
				mean[mu] += w / float64(colours)
			}
		}
		for a := range colours {
			row := make([]float64, units)
			for mu, w := range m.Row(i*colours + a)[:units] {
				row[mu] = w - mean[mu]
			}
			weight[i] = append(weight[i], row)
		}
	}
	norm := make([][]float64, sites)
	bySite, all := make([]float64, sites), 0.0
	for i := range norm {
		norm[i] = make([]float64, sites)
		for j := range i {
			sum := 0.0
			for _, a := range weight[i] {
				for _, b := range weight[j] {
					c := 0.0
					for mu := range a {
						c += a[mu] * b[mu]
					}
					sum += c * c
				}
			}
			norm[i][j] = math.Sqrt(sum)
			for _, k := range []int{i, j} {
				bySite[k] += norm[i][j] / float64(sites-1)
			}
			all += norm[i][j] / float64(sites*(sites-1)/2)
		}
	}
	for i := range norm {
		for j := range i {
			if (i-j)%2 == 1 && i-j >= 3 {
				pairs = append(pairs, coupledPair{lattice.Contact{I: j, J: i}, norm[i][j] - bySite[i]*bySite[j]/all})
			}
		}
	}
	return pairs
}
