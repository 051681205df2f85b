package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/rbm"
	"instanton/sampler"
)

// Sizes of the ladder.
const (
	maxRungs     = 1000
	rungSigmas   = 0.7 // between two rungs, in standard deviations of the energy
	drawsPerRung = 4
	groups       = 8 // of chains, for errors
)

// rungs are the energies of chains at each β: energies[k] has the draws of one chain after the other.
type rungs struct {
	betas    []float64
	chains   int
	energies [][]float64
}

// byChains goes up a ladder that sees how fast the energy fluctuates, with steps of less than one standard deviation, and comes
// down again with other chains, which start at the minima of the energy and at the data. All draws together give log Z
// and averages by MBAR. At β = 0 log Z is exact for discrete units; with real ones it is that of annealing at β = 1. A
// number at some β is known where the two directions agree: from there on up, log Z is not known where they do not.
func (s *Scan) byChains(ctx context.Context, m *rbm.RBM, o ScanOptions) error {
	if o.Chains == 0 {
		o.Chains = 64
	}
	if o.Sweeps == 0 {
		o.Sweeps = 40
	}
	if o.Chains < 2*groups || o.Sweeps < drawsPerRung {
		return fmt.Errorf("%d chains and %d sweeps at each β: expected at least %d and %d", o.Chains, o.Sweeps, 2*groups,
			drawsPerRung)
	}
	if o.Data != nil && (o.Data.Spec != m.Visible.Spec() || o.Data.Len == 0) {
		return fmt.Errorf("%d configurations of %s to start from: the model has visible units %s", o.Data.Len,
			o.Data.Spec, m.Visible.Spec())
	}
	if o.Progress == nil {
		o.Progress = func(done, total int) {}
	}
	s.Method = ByMBAR
	r := &climber{m: m, o: o}
	up, c, err := r.up(ctx)
	if err != nil {
		return err
	}
	s.Rungs = len(up.betas)
	if top := up.betas[len(up.betas)-1]; top < o.Betas[len(o.Betas)-1] {
		s.Judgement = notKnown("%d rungs reach β = %.4g only, so fast does the energy change", maxRungs, top)
		return nil
	}
	down, err := r.down(ctx, up.betas, c)
	if err != nil {
		return err
	}
	anchor, logZ, anchorError, why, err := s.anchor(ctx, m, o, up.betas)
	if err != nil {
		return err
	}
	both, err := newLadderEstimate(o.Betas, anchor, up, down)
	if err != nil {
		return err
	}
	single := [2]*ladderEstimate{}
	for k, d := range []*rungs{up, down} {
		if single[k], err = newLadderEstimate(o.Betas, anchor, d); err != nil {
			return err
		}
	}
	s.combine(both, single, m.Visible.Spec().N, logZ, anchorError, why)
	return nil
}

// anchor is the rung where log Z is known. For real visible units it is β = 1, and known where annealing knows it.
func (s *Scan) anchor(ctx context.Context, m *rbm.RBM, o ScanOptions, betas []float64) (rung int, logZ, standardError float64,
	why string, err error) {
	spec := m.Visible.Spec()
	if spec.Type.Discrete() {
		return 0, float64(spec.N) * math.Log(float64(spec.States())), 0, "", nil
	}
	rung = slices.Index(betas, 1)
	score, err := New(m, nil, nil, false)
	if err != nil || score.LogZ != nil {
		if err == nil {
			logZ = *score.LogZ
		}
		return rung, logZ, 0, "", err
	}
	a, err := NewAIS(ctx, m, AISOptions{Seed: o.Seed, Data: o.Data, Workers: o.Workers})
	if err != nil {
		return 0, 0, 0, "", err
	}
	return rung, a.LogZ, max(a.Error, (a.Upper-a.Lower)/2/sigmas), a.Doubt(), nil
}

// climber runs chains on the ladder.
type climber struct {
	m *rbm.RBM
	o ScanOptions
}

// run moves the chains at β and returns their energies: the draws of one chain after the other.
func (r *climber) run(ctx context.Context, c *sampler.Chains, beta float64, burn int) ([]float64, error) {
	k, err := sampler.NewGibbs(r.m, beta)
	if err != nil {
		return nil, err
	}
	pool := sampler.NewPool(k, r.o.Workers)
	if err := pool.Run(ctx, c, burn); err != nil {
		return nil, err
	}
	energies := make([]float64, c.V.Len*drawsPerRung)
	for d := range drawsPerRung {
		if err := pool.Run(ctx, c, r.o.Sweeps/drawsPerRung); err != nil {
			return nil, err
		}
		e, err := batch.EffectiveEnergies(r.m, c.V)
		if err != nil {
			return nil, err
		}
		for chain, x := range e {
			energies[chain*drawsPerRung+d] = x
		}
	}
	share := (beta - r.o.Betas[0]) / max(r.o.Betas[len(r.o.Betas)-1]-r.o.Betas[0], 1e-300)
	if c.First == reverseFirst {
		share = 2 - share
	}
	r.o.Progress(int(500*min(max(share, 0), 2)), 1000)
	return energies, nil
}

// up finds the ladder as it goes.
func (r *climber) up(ctx context.Context) (*rungs, *sampler.Chains, error) {
	stops := slices.Clone(r.o.Betas)
	if r.m.Visible.Spec().Type.Discrete() {
		stops = append(stops, 0)
	} else {
		stops = append(stops, 1)
	}
	slices.Sort(stops)
	stops = slices.Compact(stops)
	c := sampler.NewChains(r.m, r.o.Chains, r.o.Seed)
	out := &rungs{chains: r.o.Chains}
	beta, next := stops[0], 1
	for len(out.betas) < maxRungs {
		burn := r.o.Sweeps
		if len(out.betas) == 0 {
			burn *= 5
		}
		e, err := r.run(ctx, c, beta, burn)
		if err != nil {
			return nil, nil, err
		}
		out.betas, out.energies = append(out.betas, beta), append(out.energies, e)
		if next == len(stops) {
			break
		}
		step := rungSigmas / math.Max(stat.StdDev(e, nil), 1e-300)
		if beta += step; beta >= stops[next]-step/10 {
			beta = stops[next]
			next++
		}
	}
	return out, c, nil
}

// down comes back from the minima and the data, half of the chains from each.
func (r *climber) down(ctx context.Context, betas []float64, ends *sampler.Chains) (*rungs, error) {
	low, err := minima(ctx, r.m, ends, AISOptions{Chains: 8 * r.o.Chains, Seed: r.o.Seed, Data: r.o.Data,
		Workers: r.o.Workers})
	if err != nil {
		return nil, err
	}
	c := sampler.NewChains(r.m, r.o.Chains, r.o.Seed)
	c.First = reverseFirst
	if err := c.Begin(low); err != nil {
		return nil, err
	}
	if r.o.Data != nil {
		for k := 0; k < c.V.Len; k += 2 {
			c.V.CopyRow(k, r.o.Data, k/2*r.o.Data.Len/((c.V.Len+1)/2))
		}
	}
	out := &rungs{betas: betas, chains: r.o.Chains, energies: make([][]float64, len(betas))}
	for k := len(betas) - 1; k >= 0; k-- {
		burn := r.o.Sweeps
		if k == len(betas)-1 {
			burn *= 5
		}
		if out.energies[k], err = r.run(ctx, c, betas[k], burn); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ladderEstimate are log Z less that of the anchor, energy and variance at each β asked for, with errors from groups of chains.
type ladderEstimate struct {
	logZ, energy, variance                []float64
	logZError, energyError, varianceError []float64
}

func newLadderEstimate(asked []float64, anchor int, sets ...*rungs) (*ladderEstimate, error) {
	all, err := solveLadder(asked, anchor, sets, 0, 1)
	if err != nil {
		return nil, err
	}
	e := &ladderEstimate{logZ: all[0], energy: all[1], variance: all[2]}
	var parts [groups][3][]float64
	for g := range groups {
		if parts[g], err = solveLadder(asked, anchor, sets, g, groups); err != nil {
			return nil, err
		}
	}
	for q, to := range []*[]float64{&e.logZError, &e.energyError, &e.varianceError} {
		for k := range asked {
			var values []float64
			for g := range parts {
				values = append(values, parts[g][q][k])
			}
			*to = append(*to, stat.StdDev(values, nil)/math.Sqrt(groups))
		}
	}
	return e, nil
}

// solveLadder takes every so-many-th chain, from the first-th on.
func solveLadder(asked []float64, anchor int, sets []*rungs, first, every int) (out [3][]float64, err error) {
	betas := sets[0].betas
	var energies []float64
	counts := make([]int, len(betas))
	for k := range betas {
		for _, s := range sets {
			for chain := first; chain < s.chains; chain += every {
				energies = append(energies, s.energies[k][chain*drawsPerRung:(chain+1)*drawsPerRung]...)
				counts[k] += drawsPerRung
			}
		}
	}
	u := make([][]float64, len(betas))
	for k, beta := range betas {
		u[k] = make([]float64, len(energies))
		for n, e := range energies {
			u[k][n] = beta * e
		}
	}
	f, err := MBAR(u, counts)
	if err != nil {
		return out, err
	}
	logs := make([]float64, len(energies))
	denominators(logs, f, u, counts)
	for _, beta := range asked {
		k := slices.Index(betas, beta)
		var m moments
		for n, e := range energies {
			x := e - energies[0]
			m.merge(moments{log: -u[k][n] - logs[n], weight: 1, first: x, second: x * x})
		}
		mean := m.first / m.weight
		out[0] = append(out[0], f[k]-f[anchor])
		out[1] = append(out[1], energies[0]+mean)
		out[2] = append(out[2], m.second/m.weight-mean*mean)
	}
	return out, nil
}

// Limits of the verdict on a scan, in standard errors and, where those are tiny, in nats and in standard deviations of
// the energy.
const (
	scanSigmas = 4
	scanNats   = 0.2
	scanEnergy = 0.25
)

// combine fills in what both directions agree on.
func (s *Scan) combine(both *ladderEstimate, single [2]*ladderEstimate, n int, logZ, anchorError float64, why string) {
	up, down := single[0], single[1]
	if why != "" {
		s.Judgement = notKnown("log Z is not known at β = 1, from where the others follow: %s", why)
	} else {
		s.Judgement = good("chains going up and coming down a ladder of %d rungs agree at every β", s.Rungs)
	}
	lost := why != ""
	for k := range s.Points {
		p := &s.Points[k]
		gap := math.Abs(up.logZ[k] - down.logZ[k])
		limit := min(widestGap, max(scanNats, scanSigmas*math.Hypot(up.logZError[k], down.logZError[k])))
		if !lost && gap > limit {
			lost = true
			s.Judgement = notKnown("at β = %.4g and above, chains going up and coming down differ by %.3g nats in log Z, "+
				"as across a first-order transition", p.Beta, gap)
		}
		if !lost {
			z := logZ + both.logZ[k]
			p.LogZ, p.LogZError = &z, math.Hypot(anchorError, max(both.logZError[k], gap/2))
		}
		sd := math.Sqrt(max(both.variance[k], 0))
		apart := math.Abs(up.energy[k] - down.energy[k])
		if apart > max(scanEnergy*sd, scanSigmas*math.Hypot(up.energyError[k], down.energyError[k])) {
			if s.Verdict == Good {
				s.Judgement = notKnown("at β = %.4g, chains going up and coming down differ by %.3g in energy, as across a "+
					"first-order transition", p.Beta, apart)
			}
			continue
		}
		energy, heat := both.energy[k], p.Beta*p.Beta*both.variance[k]/float64(n)
		p.Energy, p.EnergyError = &energy, max(both.energyError[k], apart/2)
		p.SpecificHeat, p.HeatError = &heat, p.Beta*p.Beta*both.varianceError[k]/float64(n)
	}
}
