package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"instanton/batch"
	"instanton/evaluate"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/train"
)

// ErrStopped is returned by a run that was stopped on request and can be resumed.
var ErrStopped = errors.New("stopped early")

// Result describes a finished run and its model. Unknown numbers are nil (null in run.json).
type Result struct {
	Model           string   `json:"model"`
	SHA256          string   `json:"model_sha256"`
	Updates         int      `json:"updates"`
	Epochs          int      `json:"epochs"`
	Seconds         float64  `json:"seconds"`
	SweepsPerSecond float64  `json:"sweeps_per_second"`
	PseudoLL        *float64 `json:"pseudo_log_likelihood"`
	ValidPseudoLL   *float64 `json:"valid_pseudo_log_likelihood"`
	FreeEnergyGap   *float64 `json:"free_energy_gap"`
	WeightNorm      float64  `json:"weight_norm"`
	// Sampler is what moved the chains, Why the reason, and Jumps what their jumps did, if they made any.
	Sampler string `json:"sampler"`
	Why     string `json:"why"`
	Jumps   *Jumps `json:"jumps"`
	// LogZ and the log-likelihoods are exact if a layer can be enumerated. Otherwise LL is an estimate with the
	// standard error LLError, if the watch over the training knows one.
	LogZ    *float64 `json:"log_z"`
	LL      *float64 `json:"log_likelihood"`
	LLError *float64 `json:"log_likelihood_error"`
	ValidLL *float64 `json:"valid_log_likelihood"`

	// The judgement of the training: a train.Verdict, and why.
	Verdict train.Verdict `json:"verdict"`
	Reason  string        `json:"reason"`
	// DriftedSince is the update after which the model was best, if it has drifted.
	DriftedSince *int `json:"drifted_since"`
	// BestModel is the file of the model with the highest log-likelihood during the training.
	BestModel     *string  `json:"best_model"`
	BestUpdate    *int     `json:"best_update"`
	BestLL        *float64 `json:"best_log_likelihood"`
	IndependentLL *float64 `json:"independent_log_likelihood"` // of independent sites
}

// Jumps describes the jumps of the chains of a training.
type Jumps struct {
	Proposal   string  `json:"proposal"`
	Since      int     `json:"since"`      // the update before which they began
	Every      int     `json:"every"`      // updates from one jump of a chain to the next
	Acceptance float64 `json:"acceptance"` // of all of them
}

// Train trains until the run is finished, the context ends (ErrStopped, after a checkpoint) or the training diverges
// (*train.Divergence). It calls progress, unless that is nil, after every update with the number of updates done so
// far.
func (r *Run) Train(ctx context.Context, progress func(updates int)) (*Result, error) {
	defer r.Close()
	_, missing := os.Stat(r.path("model.npz"))
	if missing == nil && r.manifest.State == Finished && r.manifest.Result != nil &&
		r.trainer.Updates() == r.trainer.Total() {
		return r.manifest.Result, nil
	}
	if err := r.writeManifest(Running, ""); err != nil {
		return nil, err
	}
	t := r.trainer
	if t.Updates() == 0 {
		if err := r.keepTrajectory(); err != nil {
			return nil, err
		}
	}
	clock := newClock(r.seconds, t.Updates())
	saved := time.Now()
	for t.Updates() < t.Total() {
		if ctx.Err() != nil {
			return nil, r.stop(clock)
		}
		if err := t.Update(ctx); err != nil {
			if ctx.Err() != nil {
				return nil, r.stop(clock)
			}
			return nil, errors.Join(err, r.fail(err))
		}
		if t.Updates()%r.reportEvery() == 0 || t.Updates() == t.Total() {
			if err := r.report(clock); err != nil {
				return nil, err
			}
		}
		if err := r.keepTrajectory(); err != nil {
			return nil, err
		}
		if time.Since(saved) >= time.Duration(r.cfg.Keep.Checkpoint) || t.Updates() == t.Total() {
			if err := r.checkpoint(clock); err != nil {
				return nil, err
			}
			saved = time.Now()
		}
		if progress != nil {
			progress(t.Updates())
		}
	}
	return r.finish(clock)
}

// clock counts the seconds of work over all processes of a run.
type clock struct {
	before      float64        // of earlier processes
	now         func() float64 // seconds of this one
	lastAt      float64
	lastUpdates int
}

func newClock(before float64, updates int) *clock {
	began := time.Now()
	c := &clock{before: before, lastUpdates: updates}
	c.now = func() float64 { return time.Since(began).Seconds() }
	return c
}

func (c *clock) seconds() float64 { return c.before + c.now() }

// rate is the number of updates per second since the last call.
func (c *clock) rate(updates int) float64 {
	now := c.now()
	rate := float64(updates-c.lastUpdates) / max(now-c.lastAt, 1e-9)
	c.lastAt, c.lastUpdates = now, updates
	return rate
}

// reports is the approximate number of reports of a run by default.
const reports = 100

func (r *Run) reportEvery() int {
	if r.cfg.Keep.Report > 0 {
		return r.cfg.Keep.Report
	}
	return max(1, r.trainer.Total()/reports)
}

func (r *Run) report(c *clock) error {
	t := r.trainer
	one := Report{
		Epoch: t.Epoch(), Updates: t.Updates(), LearningRate: t.Rate(), GradientNorm: t.GradientNorm(),
		WeightNorm:      t.WeightNorm(),
		SweepsPerSecond: c.rate(t.Updates()) * float64(r.cfg.Train.Sweeps), Seconds: c.seconds(),
	}
	// The context does not interrupt a report.
	if err := r.monitor.measure(context.Background(), t.Model(), &one); err != nil {
		return err
	}
	if err := r.check(&one); err != nil {
		return err
	}
	return r.metrics.add(one)
}

// checkpoint saves the state of the run, after the reports.
func (r *Run) checkpoint(c *clock) error {
	if err := r.metrics.file.Sync(); err != nil {
		return err
	}
	return saveCheckpoint(r.path("checkpoints"), r.trainer, c.seconds())
}

func (r *Run) keepTrajectory() error {
	every := r.cfg.Keep.Trajectory * r.trainer.PerEpoch()
	if every == 0 || r.trainer.Updates()%every != 0 {
		return nil
	}
	return r.trainer.Model().Save(r.path("trajectory", checkpointName(r.trainer.Updates())), true)
}

func (r *Run) stop(c *clock) error {
	if err := r.checkpoint(c); err != nil {
		return err
	}
	if err := r.draw(); err != nil {
		return err
	}
	if err := r.writeManifest(Stopped, ""); err != nil {
		return err
	}
	return fmt.Errorf("%w after %d of %d updates", ErrStopped, r.trainer.Updates(), r.trainer.Total())
}

func (r *Run) fail(err error) error {
	var d *train.Divergence
	if !errors.As(err, &d) {
		return nil
	}
	return errors.Join(r.draw(), r.writeManifest(Diverged, err.Error()))
}

func (r *Run) finish(c *clock) (*Result, error) {
	m := r.trainer.Model()
	if err := r.save("model.npz"); err != nil {
		return nil, err
	}
	if err := r.draw(); err != nil {
		return nil, err
	}
	res := &Result{
		Model: r.path("model.npz"), Updates: r.trainer.Updates(), Epochs: r.cfg.Train.Epochs, Seconds: c.seconds(),
		WeightNorm: r.trainer.WeightNorm(),
	}
	res.SweepsPerSecond = float64(res.Updates*r.cfg.Train.Sweeps) / max(res.Seconds, 1e-9)
	res.Sampler, res.Why = r.trainer.Sampler()
	if j := r.trainer.Jumps(); j != nil && j.Made > 0 {
		res.Jumps = &Jumps{Proposal: j.Proposal, Since: j.Since, Every: j.Every, Acceptance: j.Acceptance}
	}
	var err error
	if res.SHA256, err = m.Fingerprint(); err != nil {
		return nil, err
	}
	var last Report
	if err := r.monitor.measure(context.Background(), m, &last); err != nil {
		return nil, err
	}
	res.PseudoLL, res.ValidPseudoLL = last.PseudoLikelihood, last.ValidPseudoLikelihood
	res.FreeEnergyGap = last.FreeEnergyGap
	if err := r.likelihoods(m, res); err != nil {
		return nil, err
	}
	if err := r.judge(res); err != nil {
		return nil, err
	}
	r.manifest.Result = res
	if err := r.writeReport(res); err != nil {
		return nil, err
	}
	return res, r.writeManifest(Finished, "")
}

// save writes the model as it is now.
func (r *Run) save(name string) error {
	m := r.trainer.Model()
	m.Info = map[string]string{"made by": "instanton train", "data sha256": r.in.files[0].SHA256}
	if r.in.alphabet != "" {
		m.Info["alphabet"] = r.in.alphabet
	}
	if shape := r.in.train.Shape; len(shape) == 2 {
		m.Info["shape"] = fmt.Sprintf("%d,%d", shape[0], shape[1])
	}
	return m.Save(r.path(name), true)
}

// likelihoods fills in the exact log-likelihoods if log Z is cheap to find.
func (r *Run) likelihoods(m *rbm.RBM, res *Result) error {
	s, err := evaluate.New(m, nil, nil, false)
	if err != nil || s.LogZ == nil {
		return err
	}
	data := r.in.train
	energies, err := batch.EffectiveEnergies(m, data.States)
	if err != nil {
		return err
	}
	res.LogZ = s.LogZ
	mean := func(rows []int) *float64 {
		if !slices.ContainsFunc(rows, func(k int) bool { return weightOf(data.Weights, k) > 0 }) {
			return nil
		}
		l := -vec.WeightedMean(vec.Pick(energies, rows), vec.Pick(data.Weights, rows)) - *s.LogZ
		return &l
	}
	res.LL, res.ValidLL, res.LLError = mean(data.Rows), mean(r.in.valid), new(float64)
	return nil
}
