package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Case is a standard piece of work.
type Case struct {
	Name            string
	Visible, Hidden string // layers, in the form of unit.ParseSpec
	Chains          int
	Scale           float64 // scale of the random weights
	Kind            kind
	K               int // sweeps per update, hidden units per latent block, or draws kept
}

// kind says what is done.
type kind int

const (
	gibbs       kind = iota // sweeps of alternating Gibbs sampling
	scaling                 // the same, against one thread
	keep                    // sweeps with their draws and energies kept, against one draw
	keepHidden              // the same, with the hidden units of every draw
	latentMoves             // sweeps with latent moves
	draws                   // latent moves along one hidden unit of a large model
	pcd                     // updates of PCD training
	gemm                    // one matrix product
)

// single tells whether a case uses a single thread, so that its time is CPU time.
func (k kind) single() bool { return k == gemm || k == draws || k == keep || k == keepHidden }

// Cases lists the standard cases.
func Cases() []Case {
	digits := Case{Visible: "bernoulli:784", Hidden: "bernoulli:500", Chains: 500, Scale: 1}
	with := func(name string, change func(*Case)) Case {
		c := digits
		c.Name = name
		change(&c)
		return c
	}
	cases := []Case{
		{Name: "gemm-500x784x500", Visible: "gaussian:784", Hidden: "gaussian:500", Chains: 500, Kind: gemm},
		with("bernoulli-784-500", func(*Case) {}),
		{Name: "spin-784-500", Visible: "spin:784", Hidden: "spin:500", Chains: 500, Scale: 1},
		{Name: "spin-784-500-cold", Visible: "spin:784", Hidden: "spin:500", Chains: 500, Scale: 8},
		{Name: "bernoulli-784-200", Visible: "bernoulli:784", Hidden: "bernoulli:200", Chains: 100, Scale: 1},
		{Name: "bernoulli-784-1000", Visible: "bernoulli:784", Hidden: "bernoulli:1000", Chains: 2000, Scale: 1},
		{Name: "spin-gaussian-784-500", Visible: "spin:784", Hidden: "gaussian:500", Chains: 500, Scale: 1},
	}
	for _, hidden := range []string{"bernoulli", "gaussian", "drelu"} {
		cases = append(cases,
			Case{Name: "potts-27x20-200-" + hidden, Visible: "potts:27x20", Hidden: hidden + ":200",
				Chains: 500, Scale: 1},
			Case{Name: "potts-300x21-400-" + hidden, Visible: "potts:300x21", Hidden: hidden + ":400",
				Chains: 500, Scale: 1})
	}
	cases = append(cases,
		with("threads-784-500", func(c *Case) { c.Chains, c.Kind = 2000, scaling }),
		with("sample-784-500-every", func(c *Case) { c.Chains, c.Kind, c.K = 100, keep, 100 }),
		with("sample-784-500-hidden", func(c *Case) { c.Chains, c.Kind, c.K = 100, keepHidden, 100 }),
		Case{Name: "latent-draw-784", Visible: "spin:784", Hidden: "gaussian:64",
			Chains: 16, Scale: 1, Kind: draws, K: 1})
	for d := 1; d <= 2; d++ {
		name := fmt.Sprintf("latent-hopfield-128-6-d%d", d)
		cases = append(cases, Case{Name: name, Visible: "spin:128", Hidden: "gaussian:6",
			Chains: 100, Kind: latentMoves, K: d})
	}
	for _, k := range []int{1, 10} {
		cases = append(cases, with(fmt.Sprintf("pcd%d-bernoulli-784-500", k), func(c *Case) { c.Kind, c.K = pcd, k }))
	}
	return cases
}

// DeviceCases lists those for a device with workers of its own: small batches, which wait for it, and large ones.
func DeviceCases() []Case {
	digits := Case{Visible: "bernoulli:784", Hidden: "bernoulli:500", Chains: 500, Scale: 1}
	many := Case{Visible: "bernoulli:784", Hidden: "bernoulli:1024", Chains: 10000, Scale: 1}
	cases := []Case{
		digits, many, {Name: "potts-27x20-200-bernoulli", Visible: "potts:27x20", Hidden: "bernoulli:200", Chains: 500,
			Scale: 1},
	}
	cases[0].Name, cases[1].Name = "bernoulli-784-500", "bernoulli-784-1024"
	for _, base := range []Case{digits, many} {
		for _, k := range []int{1, 10} {
			c := base
			c.Name = fmt.Sprintf("pcd%d-bernoulli-784-%s", k, strings.TrimPrefix(c.Hidden, "bernoulli:"))
			c.Kind, c.K = pcd, k
			cases = append(cases, c)
		}
	}
	return cases
}

// Select returns the cases with the given names or beginnings of names, or all cases if there are none: those of the
// processor or of a device.
func Select(names []string, device bool) ([]Case, error) {
	all := Cases()
	if device {
		all = DeviceCases()
	}
	if len(names) == 0 {
		return all, nil
	}
	var picked []Case
	for _, name := range names {
		found := false
		var known []string
		for _, c := range all {
			known = append(known, c.Name)
			if strings.HasPrefix(c.Name, name) {
				found = true
				if !slices.Contains(picked, c) {
					picked = append(picked, c)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("no case %q: expected one of %s", name, strings.Join(known, ", "))
		}
	}
	return picked, nil
}
