// Package rates computes how long alternating Gibbs sampling (AGS) takes to get from one state of a Restricted
// Boltzmann Machine to another when the time is far too long for direct simulation.
//
// Call Estimate with a model and, in Options, a configuration in each of the two states; Pattern returns the stored
// patterns of a model. The Result has the relaxation time with its error, the rates in both directions and the profile
// of the barrier.
//
// # Reactive flux
//
// Let A and B be two states, and c(x) the probability that AGS from x reaches B before A. AGS is reversible, so the
// net current P(x)T(x,y)[c(y) − c(x)] of trajectories that come from A and go to B is antisymmetric in x and y, and
// since c(x) = Σ_y T(x,y) c(y) outside A and B, it is conserved there. Hence the flux
//
//	J = Σ_{q(x)<q0, q(y)≥q0} P(x) T(x,y) [c(y) − c(x)]
//
// is the same through every dividing surface q0 between the states: it is the number of transitions per step.
// Computing it takes only the law of q, single steps across surfaces near the top, and shots from their ends, which
// soon reach one of the states. With q0 at the top, P_A = P(q < q0) and P_B = P(q ≥ q0), the rates are k_AB = J/P_A
// and k_BA = J/P_B, and if both states are left far more slowly than they are explored, the relaxation time is τ =
// 1/(k_AB + k_BA).
//
// # The law of q
//
// Chains under an umbrella, the weight 1/P̂(q), are distributed over all values of q between the states. P(q) itself
// comes from single-unit moves that are never made: their mean rates up and down from each bin of q balance (see
// flows.slope). This is exact for any umbrella, and in the Curie–Weiss model, where the rates depend on q alone, it
// has no statistical error.
//
// # Conditions
//
// q must distinguish the states, and the chains at each q must find everything that is likely there: states that q
// does not distinguish are a single state to this package. Both are checked (see [Checks]), by comparing what chains
// of different origin see at the same q and how often each of them renews it. An estimate that fails is [NotKnown],
// with a reason, and its numbers are kept apart.
package rates

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"instanton/rbm"
	"instanton/sampler"
)

// Options of an estimate. The zero value of a field selects its default.
type Options struct {
	// From and To are configurations in the two states, one entry per unit. If both are nil, spins and Bernoulli units
	// start with all units in their lower and with all units in their upper state.
	From, To []float64
	// Direction is the vector a of q(v) = Σ a_i v_i, one entry per channel (a Potts unit has one channel per state).
	// The default is To − From, or 1 for all units if those are nil.
	Direction []float64
	// Leave asks for the rate of leaving the state of From for any other, To being one of them: q then counts the
	// units that differ from From, whatever Direction is. Use it if there are states between From and To.
	Leave bool

	Chains  int // in total; 256 by default, in 16 independent groups
	Sweeps  int // of each chain once the umbrella is found; 3000 by default
	Seed    uint64
	Workers int // one per processor by default

	Progress func(sweeps int) // called with the number of sweeps done; may be nil
}

// Default numbers of chains and sweeps.
const (
	DefaultChains = 256
	DefaultSweeps = 3000
)

// repeats is the number of independent groups of chains, from which the error is estimated.
const repeats = 16

// settling is the number of free sweeps that locate the states.
const settling = 200

// Estimate computes the rates between two states of a model with discrete visible units, and judges whether they can
// be relied on. The result depends on the seed but not on the number of workers.
func Estimate(ctx context.Context, m *rbm.RBM, o Options) (*Result, error) {
	r, err := estimate(ctx, m, o)
	var unknown *notKnown
	if errors.As(err, &unknown) {
		return &Result{Verdict: NotKnown, Reason: unknown.reason, Fault: unknown.fault}, nil
	}
	return r, err
}

func estimate(ctx context.Context, m *rbm.RBM, o Options) (*Result, error) {
	if err := o.complete(m); err != nil {
		return nil, err
	}
	c, err := newCoordinate(m.Visible.Spec(), o.Direction)
	if err != nil {
		return nil, err
	}
	k, err := sampler.NewGibbs(m, 1)
	if err != nil {
		return nil, err
	}
	groups := make([]*group, repeats)
	for g := range groups {
		groups[g] = newGroup(k, c, g, o.Chains/repeats, o.Seed, o.From, o.To)
		groups[g].check = newCheck(k, groups[g], g, o.Chains/repeats, o.Seed)
	}
	a, b, err := states(ctx, groups, o.Workers)
	if err != nil {
		return nil, err
	}
	w := &umbrella{lo: max(0, c.bin(a.q-a.reach)), a: c.bin(a.q), b: c.bin(b.q), hi: min(c.bins-1, c.bin(b.q+b.reach))}
	w.cover(groups)
	if err := w.pilot(ctx, groups, o.Workers); err != nil {
		return nil, err
	}
	surface, over := w.top(), newSurfaces(w)
	for _, u := range groups {
		u.pairs.shots.a, u.pairs.shots.b, u.pairs.surfaces = a.q, b.q, over
	}
	if err := produce(ctx, groups, w, &o); err != nil {
		return nil, err
	}
	kinetics, err := newKinetics(groups, w, surface, a.q, b.q)
	if err != nil {
		return nil, err
	}
	checks, what, err := newChecks(groups, w, surface, over, kinetics, o.Leave)
	if err != nil {
		return nil, err
	}
	return newResult(kinetics, checks, what), nil
}

// complete checks the options and fills in defaults.
func (o *Options) complete(m *rbm.RBM) error {
	spec := m.Visible.Spec()
	if !spec.Type.Discrete() {
		return fmt.Errorf("a model with %s visible units: rates need discrete ones, spin, bernoulli or potts",
			spec.Type)
	}
	if o.Chains == 0 {
		o.Chains = DefaultChains
	}
	if o.Sweeps == 0 {
		o.Sweeps = DefaultSweeps
	}
	if o.Chains < 2*repeats || o.Sweeps < 30 || o.Workers < 0 {
		return fmt.Errorf("%d chains, %d sweeps, %d workers: expected at least %d chains, 30 sweeps and 0 workers",
			o.Chains, o.Sweeps, o.Workers, 2*repeats)
	}
	if err := spec.CheckCount(o.Chains); err != nil {
		return err
	}
	if o.Leave && (o.From == nil || o.To == nil) {
		return fmt.Errorf("no state to leave: expected a configuration in it and one in another state")
	}
	if o.From == nil && o.To == nil {
		if spec.States() != 2 {
			return fmt.Errorf("the two states are missing: %s units have no default states, expected two "+
				"configurations", spec.Type)
		}
		for range spec.N {
			o.From, o.To = append(o.From, spec.StateValue(0)), append(o.To, spec.StateValue(1))
		}
		if o.Direction == nil {
			o.Direction = make([]float64, spec.N)
			for i := range o.Direction {
				o.Direction[i] = 1
			}
		}
	}
	for _, x := range [][]float64{o.From, o.To} {
		if len(x) != spec.N {
			return fmt.Errorf("a state of %d units: the model has %d", len(x), spec.N)
		}
		for _, v := range x {
			if err := spec.Allows(v); err != nil {
				return err
			}
		}
	}
	switch {
	case o.Leave:
		o.Direction = away(spec, o.From)
	case o.Direction == nil:
		o.Direction = between(spec, o.From, o.To)
	}
	return nil
}

// state is where free chains stay: their median, and the distance from it that the umbrella covers.
type state struct{ q, reach float64 }

// states locates both states by free runs.
func states(ctx context.Context, groups []*group, workers int) (a, b state, err error) {
	low, high := make([][]float64, len(groups)), make([][]float64, len(groups))
	err = each(ctx, groups, workers, func(u *group) error {
		g := slices.Index(groups, u)
		low[g], high[g] = u.settle(settling)
		return nil
	})
	if err != nil {
		return a, b, err
	}
	measure := func(parts [][]float64) (state, float64) {
		q := slices.Concat(parts...)
		slices.Sort(q)
		low, middle, high := q[len(q)*16/100], q[len(q)/2], q[len(q)*84/100]
		sd := (high - low) / 2
		if side := min(high-middle, middle-low); sd > 2*side && side > 0 { // some chains have left the state already
			sd = side
		}
		return state{q[len(q)/2], max(5*sd, 3*groups[0].c.width)}, sd
	}
	a, wa := measure(low)
	b, wb := measure(high)
	if !(b.q-a.q > 2*(wa+wb)) {
		return a, b, fmt.Errorf("free chains from the two states stay at q = %.4g ± %.2g and %.4g ± %.2g: expected "+
			"the second well above the first, so that there is a barrier between them", a.q, wa, b.q, wb)
	}
	return a, b, nil
}

// top is the least likely bin between the states.
func (w *umbrella) top() int {
	best := w.a + 1
	for k := w.a + 1; k <= w.b; k++ {
		if w.f[k-w.lo] > w.f[best-w.lo] {
			best = k
		}
	}
	return best
}

// produce runs the chains under the umbrella, with steps and shots.
func produce(ctx context.Context, groups []*group, w *umbrella, o *Options) error {
	// Cycles per chunk, looks at the flows per chunk, and sets of steps per look: the steps and shots contribute most
	// of the error and little of the work.
	const chunk, looks, steps = 20, 5, 3
	levels := len(groups[0].levels)
	cycles := max(1, o.Sweeps/levels)
	warm := cycles / 10 // the umbrella was fitted to these chains: let them forget it
	for _, u := range groups {
		u.check.begin(u, w)
	}
	for done := -warm; done < cycles; {
		n := min(chunk, cycles-done)
		if done < 0 {
			n = min(chunk, -done)
		}
		err := each(ctx, groups, o.Workers, func(u *group) error {
			for t := range n {
				u.cycle(w)
				u.check.witness.cycle(w)
				if done < 0 {
					continue
				}
				if t%looks == 0 {
					u.look()
					u.check.witness.look()
				}
				for range steps {
					if err := u.pairs.step(); err != nil {
						return err
					}
				}
			}
			if done >= 0 {
				u.check.mark(u, 2*done/chunk)
				u.check.mark(u, 2*done/chunk+1)
			}
			if done+n < cycles {
				return nil
			}
			if err := u.pairs.shoot(); err != nil {
				return err
			}
			return u.check.finish(u, max(1, o.Sweeps/3))
		})
		if err != nil {
			return err
		}
		if done += n; o.Progress != nil {
			o.Progress(max(0, done) * levels)
		}
	}
	return nil
}

var errNoFlux = &notKnown{Imprecise, "no shots crossed from one state to the other: more sweeps or chains are needed"}
