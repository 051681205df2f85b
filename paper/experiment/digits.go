package experiment

import (
	"context"
	"errors"
	"fmt"

	"instanton/batch"
	"instanton/dataset"
	"instanton/evaluate"
	"instanton/paper/internal/forest"
	"instanton/paper/verdict"
	"instanton/train"
	"instanton/unit"
)

// DigitsPlan says which digits a model is trained on, and how.
type DigitsPlan struct {
	Name      string
	Digits    []int // none for all ten
	Images    int   // of the training set, 0 for all
	Hidden    string
	Sweeps    int // of the chains in an update
	Epochs    int
	Report    int                    // updates between reports on the training
	Annealing int                    // steps for the likelihood, 0 for as many as are necessary
	Bridge    evaluate.BridgeOptions // no chains: the classes are not weighed
	Again     int                    // another training of the same, with other random numbers
}

// ZerosAndOnes is the paper's training on MNIST 0/1: spins, 200 of them hidden. The paper does not say how long it
// trains. After 100 epochs annealing cannot find the likelihood any more: estimates from the two sides are 41 nats
// apart.
func ZerosAndOnes(quick bool) DigitsPlan {
	if quick {
		return DigitsPlan{Name: "mnist-0-1", Digits: []int{0, 1}, Images: 4000, Hidden: "spin:200", Sweeps: 10,
			Epochs: 12, Report: 100, Annealing: 500, Bridge: evaluate.BridgeOptions{Chains: 80, Steps: 300, Burn: 500}}
	}
	return DigitsPlan{Name: "mnist-0-1", Digits: []int{0, 1}, Hidden: "spin:200", Sweeps: 10, Epochs: 40, Report: 500,
		Annealing: 5000, Bridge: evaluate.BridgeOptions{Chains: 400, Steps: 5000, Burn: 5000}}
}

// Digits are handwritten digits, a classifier that tells them apart, and a model of spins trained on them.
type Digits struct {
	Train, Test *dataset.Dataset
	Classify    evaluate.Classifier // a random forest
	OutOfBag    float64             // the share of training images that it takes for another digit, out of bag
	*Trained
	Weights []evaluate.ClassWeight // of the classes in the model
	// The mean log-likelihood of the test images, by the classes' partition functions where they are known:
	// annealing from the sites of all data may miss a class.
	HeldOut, HeldOutError float64
}

// ErrNoMNIST is the error of data that cannot be had, which is no fault of a figure.
var ErrNoMNIST = errors.New("MNIST is left out")

// digitImages reads the training and test images of some digits as spins.
func digitImages(ctx context.Context, s verdict.Settings, p DigitsPlan) (learn, test *dataset.Dataset, err error) {
	folder, err := dataset.FindMNIST(ctx, s.MNIST, s.Progress)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, fmt.Errorf("%w: %w", ErrNoMNIST, err)
	}
	o := dataset.MNISTOptions{Digits: p.Digits, Type: unit.Spin, Threshold: 0.5}
	if learn, err = dataset.MNIST(folder, o); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNoMNIST, err)
	}
	o.Test = true
	if test, err = dataset.MNIST(folder, o); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNoMNIST, err)
	}
	if p.Images > 0 && p.Images < learn.States.Len {
		rows := make([]int, p.Images)
		for k := range rows {
			rows[k] = k
		}
		learn = learn.Pick(rows)
	}
	return learn, test, nil
}

// TrainDigits trains a model and a classifier, and weighs the classes in the model.
func TrainDigits(ctx context.Context, s verdict.Settings, p DigitsPlan) (*Digits, error) {
	learn, test, err := digitImages(ctx, s, p)
	if err != nil {
		return nil, err
	}
	return LearnDigits(ctx, s, p, learn, test)
}

// LearnDigits is [TrainDigits] with given images to learn from and to test with.
func LearnDigits(ctx context.Context, s verdict.Settings, p DigitsPlan, learn, test *dataset.Dataset) (*Digits, error) {
	trees, err := verdict.Share(s, fmt.Sprintf("forest of %s, %d images", p.Name, learn.States.Len),
		func() (*forest.Forest, error) {
			return forest.Train(ctx, learn.States, learn.Labels, forest.Options{Seed: s.Seed, Workers: s.Workers})
		})
	if err != nil {
		return nil, err
	}
	d := &Digits{Train: learn, Test: test, Classify: trees.Probabilities, OutOfBag: trees.OutOfBag}
	cfg := train.Default()
	cfg.Epochs, cfg.Sweeps, cfg.Seed = p.Epochs, p.Sweeps, s.Seed
	if p.Again > 0 {
		cfg.Seed = s.SeedFor(fmt.Sprintf("training %d", p.Again)) >> 1 // config.toml has room for 63 bits
	}
	if d.Trained, err = Train(ctx, s, Training{Name: p.Name, Data: learn, Hidden: p.Hidden, Config: cfg,
		AIS: p.Annealing, Report: p.Report}); err != nil {
		return nil, err
	}
	if p.Bridge.Chains > 0 {
		d.Weights, err = verdict.Keep(s, d.Dir, "modes", p.Bridge, func() ([]evaluate.ClassWeight, error) {
			s.Progress("weighing the classes of %s", p.Name)
			return d.ClassWeights(ctx, s, p.Bridge, d.Classify)
		})
		if err != nil {
			return nil, err
		}
	}
	energies, err := batch.EffectiveEnergies(d.Model, test.States)
	if err != nil {
		return nil, err
	}
	mean, _ := MeanError(energies)
	d.HeldOut, d.HeldOutError = -mean-d.Likelihood.LogZ, d.Likelihood.HalfWidth()
	if len(d.Weights) > 0 {
		z, err := evaluate.TotalLogZ(d.Weights)
		d.HeldOut, d.HeldOutError = -mean-z, err
	}
	return d, nil
}
