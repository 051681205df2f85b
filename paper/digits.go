package paper

import (
	"context"
	"errors"
	"fmt"
	"math"

	"instanton/batch"
	"instanton/dataset"
	"instanton/forest"
	"instanton/internal/special"
	"instanton/train"
	"instanton/unit"
)

// digitsPlan says which digits a model is trained on, and how.
type digitsPlan struct {
	name      string
	digits    []int // none for all ten
	images    int   // of the training set, 0 for all
	hidden    string
	sweeps    int // of the chains in an update
	epochs    int
	report    int    // updates between reports on the training
	annealing int    // steps for the likelihood, 0 for as many as are necessary
	bridge    bridge // no chains: the classes are not weighed
	again     int    // another training of the same, with other random numbers
}

// zerosAndOnes is the paper's training on MNIST 0/1: spins, 200 of them hidden. The paper does not say how long it trains. After 100
// epochs annealing cannot find the likelihood any more: estimates from the two sides are 41 nats apart.
func zerosAndOnes(quick bool) digitsPlan {
	if quick {
		return digitsPlan{name: "mnist-0-1", digits: []int{0, 1}, images: 4000, hidden: "spin:200", sweeps: 10, epochs: 12, report: 100, annealing: 500, bridge: bridge{chains: 80, steps: 300, burn: 500}}
	}
	return digitsPlan{name: "mnist-0-1", digits: []int{0, 1}, hidden: "spin:200", sweeps: 10, epochs: 40, report: 500, annealing: 5000, bridge: bridge{chains: 400, steps: 5000, burn: 5000}}
}

// digits are hand-written digits, a forest that tells them apart, and a model of spins trained on them.
type digits struct {
	train, test *dataset.Dataset
	forest      *forest.Forest
	*trained
	weights []modeWeight // of the classes in the model
	// The mean log-likelihood of the test images, by the classes' partition functions where they are known:
	// annealing from the sites of all data may miss a class.
	held, heldError float64
}

// errNoMNIST is the error of data that cannot be had, which is no fault of a figure.
var errNoMNIST = errors.New("MNIST is left out")

// withoutMNIST is the result of a figure whose data cannot be had: a sentence that says so.
func withoutMNIST(s Settings, err error) (*Result, error) {
	if !errors.Is(err, errNoMNIST) {
		return nil, err
	}
	s.say("%v", err)
	return &Result{Missing: err.Error()}, nil
}

// images reads the training and test images of some digits as spins.
func (s Settings) images(ctx context.Context, p digitsPlan) (learn, test *dataset.Dataset, err error) {
	folder, err := dataset.FindMNIST(ctx, s.MNIST, s.say)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, fmt.Errorf("%w: %w", errNoMNIST, err)
	}
	o := dataset.MNISTOptions{Digits: p.digits, Type: unit.Spin, Threshold: 0.5}
	if learn, err = dataset.MNIST(folder, o); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errNoMNIST, err)
	}
	o.Test = true
	if test, err = dataset.MNIST(folder, o); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errNoMNIST, err)
	}
	if p.images > 0 && p.images < learn.States.Len {
		rows := make([]int, p.images)
		for k := range rows {
			rows[k] = k
		}
		learn = learn.Pick(rows)
	}
	return learn, test, nil
}

// digits trains a model and a classifier, and weighs the classes in the model.
func (s Settings) digits(ctx context.Context, p digitsPlan) (*digits, error) {
	learn, test, err := s.images(ctx, p)
	if err != nil {
		return nil, err
	}
	return s.learnDigits(ctx, p, learn, test)
}

func (s Settings) learnDigits(ctx context.Context, p digitsPlan, learn, test *dataset.Dataset) (*digits, error) {
	d := &digits{train: learn, test: test}
	var err error
	d.forest, err = shared(s, fmt.Sprintf("forest of %s, %d images", p.name, learn.States.Len), func() (*forest.Forest, error) {
		return forest.Train(ctx, learn.States, learn.Labels, forest.Options{Seed: s.Seed, Workers: s.Workers})
	})
	if err != nil {
		return nil, err
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Sweeps, cfg.Seed = p.epochs, p.sweeps, s.Seed
	if p.again > 0 {
		cfg.Seed = s.seedFor(fmt.Sprintf("training %d", p.again)) >> 1 // config.toml has room for 63 bits
	}
	if d.trained, err = s.train(ctx, training{name: p.name, data: learn, hidden: p.hidden, config: cfg, ais: p.annealing, report: p.report}); err != nil {
		return nil, err
	}
	if p.bridge.chains > 0 {
		d.weights, err = kept(s, d.Dir, "modes", p.bridge, func() ([]modeWeight, error) {
			s.say("weighing the classes of %s", p.name)
			return d.bridgedWeights(ctx, s, p.bridge, d.forest.Probabilities)
		})
		if err != nil {
			return nil, err
		}
	}
	energies, err := batch.EffectiveEnergies(d.Model, test.States)
	if err != nil {
		return nil, err
	}
	mean, _ := meanAndError(energies)
	d.held, d.heldError = -mean-d.Likelihood.LogZ, d.Likelihood.halfWidth()
	if len(d.weights) > 0 {
		z, err := bridgedLogZ(d.weights)
		d.held, d.heldError = -mean-z, err
	}
	return d, nil
}

// bridgedLogZ is log Z from the partition functions of the classes, and its error.
func bridgedLogZ(weights []modeWeight) (z, err float64) {
	var logs []float64
	for _, w := range weights {
		logs = append(logs, w.LogZ)
		err += w.Share * w.Share * w.LogZErr * w.LogZErr
	}
	return special.LogSumExp(logs), math.Sqrt(err)
}

// fewChains is the number of annealed chains below which a weight is not to be relied on.
const fewChains = 10

// modelTable says how good a model is, before anything is said of samplers.
func (r *Result) modelTable(t *trained, weights []modeWeight, rows ...[3]any) {
	table := r.Table("model", "The model: mean log-likelihoods a sample in nats, and the weights of the modes, found by annealing to and from the independent sites of each class.", "quantity", "value", "error")
	table.Shown = true
	l := t.Likelihood
	table.Add("log-likelihood of the training data, annealed from the sites of all", l.Train, l.halfWidth())
	table.Add("the same of independent sites", l.Independent, "")
	for _, row := range rows {
		table.Add(row[0], row[1], row[2])
	}
	table.Add("log Z, annealed from the sites of all data, between", l.Lower, "")
	table.Add("and", l.Upper, "")
	for _, w := range weights {
		table.Add("log Z of "+w.Name, w.LogZ, w.LogZErr)
		table.Add("weight of "+w.Name, w.Share, w.Error)
		table.Add("annealed chains that carry it", w.ESS, "")
	}
	for _, w := range weights {
		if w.ESS < fewChains {
			r.Note("The weight of class %s rests on %.1f annealed chains: take it for an order of magnitude.", w.Name, w.ESS)
		}
	}
	if l.Doubt != "" {
		r.Note("Of the annealing from the sites of all data: %s.", l.Doubt)
	}
}
