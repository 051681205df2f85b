package contest

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat"

	"instanton/mixing"
	"instanton/sampler"
)

// MixedRHat is the largest R-hat at which a sampler counts as mixed.
const MixedRHat = 1.05

// Row is what a sampler achieved. Shares of modes are in the order of the modes' names.
type Row struct {
	Sampler string `json:"sampler"`
	About   string `json:"about,omitempty"`
	// Error says why the sampler did not run.
	Error string `json:"error,omitempty"`

	Mixed         bool          `json:"mixed"`
	RHat          mixing.Number `json:"rhat"` // the largest of the modes' indicators and of the energy
	ModeESSPer1e5 mixing.Number `json:"mode_ess_per_1e5"`
	ModeESSPerSec mixing.Number `json:"mode_ess_per_second"`
	SetupSeconds  float64       `json:"setup_seconds"`

	Occupancies     []mixing.Number   `json:"occupancies"`
	OccupancyErrors []mixing.Number   `json:"occupancy_errors"`
	ByStart         [][]mixing.Number `json:"occupancies_by_start"` // of the runs that started in each place

	RunESS       mixing.Number `json:"run_ess"` // independent draws of the mode that one run is worth
	Transitions  int           `json:"transitions"`
	Trapped      int           `json:"trapped"`    // runs that never changed mode though the others did, often
	EnergyTau    mixing.Number `json:"energy_tau"` // integrated autocorrelation time, in sweeps
	Sweeps       int           `json:"sweeps"`
	Seconds      float64       `json:"seconds"` // processor time of all runs
	WorkPerSweep mixing.Number `json:"ags_equivalents_per_sweep"`
	Acceptance   mixing.Number `json:"acceptance"`
	// RoundTrips counts replicas that came from the bottom of a ladder to its top; nil for kernels without a ladder.
	RoundTrips *uint64 `json:"round_trips,omitempty"`

	// Path is the mode of each run in the course of time, −1 before it is in any, thinned for pictures.
	Path [][]int `json:"-"`

	work float64 // of a sweep as the kernel knows it, NaN if it does not
}

// judge computes the row from what was seen.
func (row *Row) judge(seen *visits, energies *energies, o *Options) {
	draws := len(seen.mode) / seen.runs
	first := draws / 10 // warm-up
	shares, changes := seen.shares(len(o.Modes.Names()), first)
	row.Transitions, row.Trapped = trapped(changes)
	row.RunESS = mixing.Number(runESS(shares))
	row.ByStart = make([][]mixing.Number, len(o.Starts))
	for a := range shares {
		mean, err := meanAndError(shares[a])
		row.Occupancies = append(row.Occupancies, mixing.Number(mean))
		row.OccupancyErrors = append(row.OccupancyErrors, mixing.Number(err))
		for s := range row.ByStart {
			var own []float64
			for r := s; r < seen.runs; r += len(o.Starts) {
				own = append(own, shares[a][r])
			}
			mean, _ := meanAndError(own)
			row.ByStart[s] = append(row.ByStart[s], mixing.Number(mean))
		}
	}
	row.RHat = mixing.Number(math.Max(seen.rhat(len(shares), first), energies.rhat()))
	row.Mixed = row.RHat <= MixedRHat && row.Trapped == 0 && !outside(shares)
	if !row.Mixed {
		row.RunESS = mixing.Number(math.NaN())
	}
	tau, _ := mixing.Tau(energies.kept())
	row.EnergyTau = mixing.Number(tau * float64(seen.every*energies.every))
	row.ModeESSPerSec = mixing.Number(float64(row.RunESS) * float64(seen.runs) / row.Seconds)
	row.Path = seen.path(200)
}

// Cost sets the work of a sweep, in steps of alternating Gibbs sampling, and with it ModeESSPer1e5.
func (row *Row) Cost(work float64) {
	row.WorkPerSweep = mixing.Number(work)
	row.ModeESSPer1e5 = mixing.Number(float64(row.RunESS) / (work * float64(row.Sweeps)) * 1e5)
}

// shares returns the fraction of its time that each run spent in each mode, by mode and run, NaN for a run that was in
// none, and how often each run changed mode.
func (s *visits) shares(modes, first int) (shares [][]float64, changes []int) {
	changes = make([]int, s.runs)
	shares = make([][]float64, modes)
	for a := range shares {
		shares[a] = make([]float64, s.runs)
	}
	for r := range s.runs {
		known, before := 0, uint8(none)
		for at := first*s.runs + r; at < len(s.mode); at += s.runs {
			mode := s.mode[at]
			if mode == none {
				continue
			}
			if before != none && mode != before {
				changes[r]++
			}
			shares[mode][r]++
			before = mode
			known++
		}
		for a := range shares {
			shares[a][r] /= float64(known)
		}
	}
	return shares, changes
}

// trapped returns the number of changes of mode, and that of the runs that made none where the others made so many
// that chance does not explain it: R-hat does not see one such run among many.
func trapped(changes []int) (total, trapped int) {
	for _, n := range changes {
		total += n
		if n == 0 {
			trapped++
		}
	}
	const enough = 20 // e^{−20} is less than chance
	if movers := len(changes) - trapped; movers == 0 || total < enough*movers {
		return total, 0
	}
	return total, trapped
}

// runESS is Σp(1−p)/ΣVar over the modes.
func runESS(shares [][]float64) float64 {
	between, within := 0.0, 0.0
	for _, x := range shares {
		mean, variance := stat.MeanVariance(x, nil)
		within += mean * (1 - mean)
		between += variance
	}
	return within / between
}

// outside reports whether a run was never in a mode, or all were always in the same one.
func outside(shares [][]float64) bool {
	for _, x := range shares {
		if math.IsNaN(x[0]) {
			return true
		}
		if mean := stat.Mean(x, nil); mean > 0 && mean < 1 {
			return false
		}
	}
	return true
}

func meanAndError(x []float64) (mean, err float64) {
	mean, variance := stat.MeanVariance(x, nil)
	return mean, math.Sqrt(variance / float64(len(x)))
}

// kept is about the number of draws per run from which R-hat and autocorrelations are computed.
const kept = 1000

// rhat is the largest R-hat of the indicators of modes. A mode that no run was in has none.
func (s *visits) rhat(modes, first int) float64 {
	draws := len(s.mode)/s.runs - first
	step := max(1, draws/kept)
	x := make([][]float64, s.runs)
	largest := 1.0
	for a := range modes {
		total := 0.0
		for r := range x {
			x[r] = x[r][:0]
			for d := first; d < first+draws; d += step {
				in := 0.0
				if s.mode[d*s.runs+r] == uint8(a) {
					in = 1
				}
				x[r] = append(x[r], in)
				total += in
			}
		}
		if all := float64(s.runs * len(x[0])); total > 0 && total < all {
			if rhat := mixing.RHat(x); !(rhat <= largest) {
				largest = rhat
			}
		}
	}
	return largest
}

// ByPlace is Path with the runs from each of the places, of which there are so many, side by side.
func (row *Row) ByPlace(places int) (paths [][]int) {
	for place := range places {
		for run := place; run < len(row.Path); run += places {
			paths = append(paths, row.Path[run])
		}
	}
	return paths
}

// path thins the visits of each run to at most the given number.
func (s *visits) path(most int) [][]int {
	draws := len(s.mode) / s.runs
	n := min(most, draws)
	out := make([][]int, s.runs)
	for r := range out {
		for i := range n {
			mode := int(s.mode[(i+1)*draws/n*s.runs-s.runs+r])
			if mode == none {
				mode = -1
			}
			out[r] = append(out[r], mode)
		}
	}
	return out
}

// gibbs is the sampler whose sweep is the unit of work.
const gibbs = "gibbs"

// Cost sets what a sweep of each row costs in steps of alternating Gibbs sampling: what its kernel says of itself, or
// the ratio of processor times. If Gibbs sampling did not take part, it is timed for a moment.
func Cost(ctx context.Context, rows []*Row, beta float64, o Options) error {
	unit, needed := math.NaN(), false
	for _, r := range rows {
		needed = needed || r.Error == "" && math.IsNaN(r.work)
		if r.Sampler == gibbs && r.Error == "" {
			unit = r.Seconds / float64(r.Sweeps)
		}
	}
	if needed && math.IsNaN(unit) {
		k, err := sampler.NewGibbs(o.Model, beta)
		if err != nil {
			return err
		}
		c, err := o.begin()
		if err != nil {
			return err
		}
		pool := sampler.NewPool(k, 1)
		const enough = 0.2 // seconds
		began := processorSeconds()
		for unit = 0; unit*float64(c.Sweep) < enough; unit = (processorSeconds() - began) / float64(c.Sweep) {
			if err := pool.Run(ctx, c, 10); err != nil {
				return err
			}
		}
	}
	for _, r := range rows {
		if r.Error != "" {
			continue
		}
		work := r.work
		if math.IsNaN(work) {
			work = r.Seconds / float64(r.Sweeps) / unit
		}
		r.Cost(work)
	}
	return nil
}
