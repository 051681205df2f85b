package run

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"instanton/batch"
	"instanton/evaluate"
	"instanton/internal/atomicfile"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Report is one line of metrics.jsonl. Unknown numbers are nil (null in the file).
type Report struct {
	Epoch        float64 `json:"epoch"`
	Updates      int     `json:"updates"`
	LearningRate float64 `json:"learning_rate"`
	// PseudoLikelihood is the mean pseudo-log-likelihood per sample, summed over sites, of some training samples;
	// ValidPseudoLikelihood that of some held-out samples.
	PseudoLikelihood      *float64 `json:"pseudo_log_likelihood"`
	ValidPseudoLikelihood *float64 `json:"valid_pseudo_log_likelihood"`
	GradientNorm          float64  `json:"gradient_norm"`
	WeightNorm            float64  `json:"weight_norm"`
	// FreeEnergyGap is the mean effective energy of held-out samples minus that of training samples: it grows when
	// the model memorises its training samples.
	FreeEnergyGap *float64 `json:"free_energy_gap"`
	// Checked tells whether the report comes with a train.Check; the others are what that found. LogLikelihood is the
	// mean per sample and exact if its error is zero; it cannot exceed LogLikelihoodBound. Separation is the
	// probability that a classifier tells a chain from a datum, Remaining what could still be gained.
	Checked            bool     `json:"checked"`
	LogLikelihood      *float64 `json:"log_likelihood"`
	LogLikelihoodError *float64 `json:"log_likelihood_error"`
	LogLikelihoodBound *float64 `json:"log_likelihood_bound"`
	Separation         *float64 `json:"separation"`
	SeparationError    *float64 `json:"separation_error"`
	Remaining          *float64 `json:"remaining"`
	SweepsPerSecond    float64  `json:"sweeps_per_second"`
	Seconds            float64  `json:"seconds"`
}

// monitor evaluates a model during training, always on the same samples.
type monitor struct {
	data                *unit.States
	weights             []float64
	train, valid        []int // samples for mean energies
	pseudo, validPseudo []int // samples for pseudo-likelihoods
	workers             int

	energies *unit.States // the samples valid, then train
	engine   batch.Engine
}

// Limits on the work of a report: samples for energies and for pseudo-likelihoods, and evaluations of hidden units
// for the latter.
const (
	energySamples = 200
	pseudoSamples = 500
	reportWork    = 2e6
)

func newMonitor(m *rbm.RBM, in *inputs, workers int) *monitor {
	w := &monitor{data: in.train.States, weights: in.train.Weights, workers: workers}
	pick := func(from []int, count int) []int { // evenly spaced, of those with weight
		from = slices.DeleteFunc(slices.Clone(from), func(k int) bool { return weightOf(w.weights, k) == 0 })
		count = min(count, len(from))
		rows := make([]int, count)
		for k := range rows {
			rows[k] = from[k*len(from)/count]
		}
		return rows
	}
	w.train, w.valid = pick(in.train.Rows, energySamples), pick(in.valid, energySamples)
	w.energies = unit.NewStates(w.data.Spec, len(w.valid)+len(w.train))
	for k, row := range slices.Concat(w.valid, w.train) {
		w.energies.CopyRow(k, w.data, row)
	}
	if m.Visible.Spec().Type.Discrete() {
		count := len(evaluate.PseudoRows(m, pseudoSamples, reportWork))
		w.pseudo, w.validPseudo = pick(in.train.Rows, count), pick(in.valid, count)
	}
	return w
}

// measure fills in the numbers that depend on the model.
func (w *monitor) measure(ctx context.Context, m *rbm.RBM, r *Report) error {
	var err error
	if r.PseudoLikelihood, err = w.meanPseudo(ctx, m, w.pseudo); err != nil {
		return err
	}
	if r.ValidPseudoLikelihood, err = w.meanPseudo(ctx, m, w.validPseudo); err != nil {
		return err
	}
	r.FreeEnergyGap, err = w.gap(m)
	return err
}

// gap is the free-energy gap, nil if no samples are held out.
func (w *monitor) gap(m *rbm.RBM) (*float64, error) {
	if len(w.valid) == 0 {
		return nil, nil
	}
	var err error
	if w.engine == nil {
		w.engine, err = batch.New(m, w.workers)
	} else {
		err = w.engine.Set(m)
	}
	if err != nil {
		return nil, err
	}
	e := make([]float64, w.energies.Len)
	w.engine.EffectiveEnergies(e, batch.Visible, w.energies)
	n := len(w.valid)
	gap := vec.WeightedMean(e[:n], vec.Pick(w.weights, w.valid)) - vec.WeightedMean(e[n:], vec.Pick(w.weights, w.train))
	return &gap, nil
}

func (w *monitor) meanPseudo(ctx context.Context, m *rbm.RBM, rows []int) (*float64, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	values, err := evaluate.PseudoLogLikelihood(ctx, m, w.data, rows, w.workers)
	if err != nil {
		return nil, err
	}
	mean := vec.WeightedMean(values, vec.Pick(w.weights, rows))
	return &mean, nil
}

// weightOf is the weight of a sample, or 1 without weights.
func weightOf(weights []float64, k int) float64 {
	if weights == nil {
		return 1
	}
	return weights[k]
}

// metrics is the file of reports, open for appending.
type metrics struct {
	file    *os.File
	reports []Report
}

// openMetrics opens the file and drops the reports after the given update, and a last line that was cut short.
func openMetrics(path string, updates int) (*metrics, error) {
	reports, err := ReadMetrics(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	m := &metrics{}
	var b bytes.Buffer
	for _, r := range reports {
		if r.Updates <= updates {
			m.reports = append(m.reports, r)
			line, err := json.Marshal(r)
			if err != nil {
				return nil, err
			}
			b.Write(append(line, '\n'))
		}
	}
	if err := atomicfile.Write(path, true,
		func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err }); err != nil {
		return nil, err
	}
	m.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	return m, err
}

// add appends a report.
func (m *metrics) add(r Report) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := m.file.Write(append(line, '\n')); err != nil {
		return err
	}
	m.reports = append(m.reports, r)
	return nil
}

// ReadMetrics reads the reports of a run from its metrics.jsonl, without a last line that is still being written.
func ReadMetrics(path string) ([]Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var reports []Report
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return reports, nil
		}
		if err != nil {
			return nil, err
		}
		var one Report
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, fmt.Errorf("%s: line %d is not a report: %w", path, len(reports)+1, err)
		}
		reports = append(reports, one)
	}
}
