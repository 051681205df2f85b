package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"instanton/rbm"
)

// byChains goes up a ladder that sees how fast the energy fluctuates, with steps of less than one standard deviation,
// and comes down again with other chains, which start at the minima of the energy and at the data. Averages at a rung
// are those of its draws; log Z follows from the draws of all rungs by MBAR. At β = 0 log Z is exact for discrete
// units; with real ones it is that of annealing at β = 1. What the two directions do not agree on is not known.
func (s *Scan) byChains(ctx context.Context, m *rbm.RBM, o ScanOptions) error {
	if o.Chains == 0 {
		o.Chains = 64
	}
	if o.Sweeps == 0 {
		o.Sweeps = 40
	}
	if o.Chains < 2*groups || o.Sweeps < drawsPerRung {
		return fmt.Errorf("%d chains and %d sweeps at each β: expected at least %d and %d", o.Chains, o.Sweeps,
			2*groups, drawsPerRung)
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
	s.average(up, down, m.Visible.Spec().N)
	if why != "" {
		s.doubt("log Z is not known at β = 1, from where the others follow: %s", why)
		return nil
	}
	return s.setLogZ(up, down, anchor, logZ, anchorError)
}

// anchor is the rung where log Z is known. For real visible units it is β = 1, and known where annealing knows it.
func (s *Scan) anchor(ctx context.Context, m *rbm.RBM, o ScanOptions, betas []float64) (rung int, logZ,
	standardError float64, why string, err error) {
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

// rungAverage is the mean and the variance of the energy at a rung, with errors from groups of chains.
type rungAverage struct{ mean, meanError, variance, varianceError float64 }

func averageAt(k int, sets ...*rungs) (a rungAverage) {
	var all []float64
	var means, variances []float64
	for g := range groups {
		var part []float64
		for _, s := range sets {
			part = append(part, s.of(k, g, groups)...)
		}
		all = append(all, part...)
		mean, variance := stat.MeanVariance(part, nil)
		means, variances = append(means, mean), append(variances, variance)
	}
	a.mean, a.variance = stat.MeanVariance(all, nil)
	a.meanError = stat.StdDev(means, nil) / math.Sqrt(groups)
	a.varianceError = stat.StdDev(variances, nil) / math.Sqrt(groups)
	return a
}

// of lists the energies at rung k of every so-many-th chain, from the first-th on.
func (r *rungs) of(k, first, every int) (energies []float64) {
	for chain := first; chain < r.chains; chain += every {
		energies = append(energies, r.energies[k][chain*drawsPerRung:(chain+1)*drawsPerRung]...)
	}
	return energies
}

// Limits of the verdict on a scan, in standard errors and, where those are tiny, in nats and in standard deviations of
// the energy.
const (
	scanSigmas = 4
	scanNats   = 0.2
	scanEnergy = 0.25
)

// apart is the difference of the mean energies of the two directions at rung k, and whether it is too large.
func apart(up, down *rungs, k int) (difference float64, differ bool) {
	a, b := averageAt(k, up), averageAt(k, down)
	difference = math.Abs(a.mean - b.mean)
	limit := max(scanEnergy*math.Sqrt((a.variance+b.variance)/2), scanSigmas*math.Hypot(a.meanError, b.meanError))
	return difference, difference > limit
}

// doubt keeps the first reason.
func (s *Scan) doubt(format string, args ...any) {
	if s.Verdict != NotKnown {
		s.Judgement = notKnown(format, args...)
	}
}

// average fills in energies and specific heats at rungs where both directions agree, from their own draws.
func (s *Scan) average(up, down *rungs, n int) {
	s.Judgement = good("chains going up and coming down a ladder of %d rungs agree at every β", s.Rungs)
	for i := range s.Points {
		p := &s.Points[i]
		k := slices.Index(up.betas, p.Beta)
		gap, differ := apart(up, down, k)
		if differ {
			s.doubt("at β = %.4g, chains going up and coming down differ by %.3g in energy, as at a first-order "+
				"transition", p.Beta, gap)
			continue
		}
		a, scale := averageAt(k, up, down), p.Beta*p.Beta/float64(n)
		heat := scale * a.variance
		p.Energy, p.EnergyError = &a.mean, max(a.meanError, gap/2)
		p.SpecificHeat, p.HeatError = &heat, scale*a.varianceError
	}
}

// setLogZ fills in log Z by MBAR over the rungs around the anchor on which both directions agree: draws of others,
// which are not in equilibrium, would spoil it.
func (s *Scan) setLogZ(up, down *rungs, anchor int, logZ, anchorError float64) error {
	agree := func(k int) bool {
		_, differ := apart(up, down, k)
		return !differ
	}
	lo, hi := anchor, anchor
	for lo > 0 && agree(lo-1) {
		lo--
	}
	for hi+1 < len(up.betas) && agree(hi+1) {
		hi++
	}
	both, standardError, err := ladderLogZ(lo, hi, up, down)
	if err != nil {
		return err
	}
	var single, singleError [2][]float64
	for k, r := range []*rungs{up, down} {
		if single[k], singleError[k], err = ladderLogZ(lo, hi, r); err != nil {
			return err
		}
	}
	for i := range s.Points {
		p := &s.Points[i]
		k := slices.Index(up.betas, p.Beta) - lo
		if k < 0 || k > hi-lo {
			s.doubt("log Z at β = %.4g cannot be reached: chains going up and coming down differ in between, as at a "+
				"first-order transition", p.Beta)
			continue
		}
		from := anchor - lo
		gap := math.Abs(single[0][k] - single[0][from] - single[1][k] + single[1][from])
		limit := min(widestGap, max(scanNats, scanSigmas*math.Hypot(singleError[0][k], singleError[1][k])))
		if gap > limit {
			s.doubt("at β = %.4g, chains going up and coming down differ by %.3g nats in log Z, as at a first-order "+
				"transition", p.Beta, gap)
			continue
		}
		z := logZ + both[k] - both[from]
		p.LogZ, p.LogZError = &z, math.Hypot(anchorError, max(standardError[k], gap/2))
	}
	return nil
}

// ladderLogZ is log Z at rungs lo to hi, less that of rung lo, with errors from groups of chains.
func ladderLogZ(lo, hi int, sets ...*rungs) (logZ, standardError []float64, err error) {
	solve := func(first, every int) ([]float64, error) {
		var energies []float64
		var counts []int
		for k := lo; k <= hi; k++ {
			before := len(energies)
			for _, s := range sets {
				energies = append(energies, s.of(k, first, every)...)
			}
			counts = append(counts, len(energies)-before)
		}
		u := make([][]float64, len(counts))
		for k := range u {
			u[k] = make([]float64, len(energies))
			for n, e := range energies {
				u[k][n] = sets[0].betas[lo+k] * e
			}
		}
		return MBAR(u, counts)
	}
	if logZ, err = solve(0, 1); err != nil {
		return nil, nil, err
	}
	var parts [groups][]float64
	for g := range parts {
		if parts[g], err = solve(g, groups); err != nil {
			return nil, nil, err
		}
	}
	for k := range logZ {
		var values []float64
		for _, p := range parts {
			values = append(values, p[k])
		}
		standardError = append(standardError, stat.StdDev(values, nil)/math.Sqrt(groups))
	}
	return logZ, standardError, nil
}
