package demo

import (
	"context"
	"fmt"
	"math"

	"instanton/evaluate"
	"instanton/train"
	"instanton/unit"
)

// Training describes the model and how good it is.
type Training struct {
	Size    int     `json:"size"`
	Images  int     `json:"images"`
	Hidden  string  `json:"hidden"`
	L1      float64 `json:"l1"`
	Updates int     `json:"updates"`

	// Mean log-likelihood per image, exact or by annealed importance sampling with bounds.
	LogLikelihood float64 `json:"log_likelihood"`
	Lower         float64 `json:"log_likelihood_lower"`
	Upper         float64 `json:"log_likelihood_upper"`
	Perfect       float64 `json:"perfect"`     // log-likelihood of a perfect model: −log of the number of images
	Independent   float64 `json:"independent"` // log-likelihood of independent pixels
	// OnLine is the fraction of a hidden unit's squared weights along the bar or stripe that it encodes best, on
	// average.
	OnLine float64 `json:"weights_on_one_line"`

	doubt string
}

// onImages is a lower bound on the probability of all images together: the mean of the logarithms is at most the
// logarithm of the mean, so Σp ≥ n exp⟨log p⟩.
func (l Training) onImages() float64 { return min(1, math.Exp(l.LogLikelihood-l.Perfect)) }

// Probabilities of all images above which they count as learnt, and as partly learnt.
const (
	learntFrom = 0.5
	partlyFrom = 0.1
)

// verdict says how far the training got.
func (l Training) verdict() string {
	switch p := l.onImages(); {
	case p >= learntFrom:
		return "learnt"
	case p >= partlyFrom:
		return "partly learnt"
	}
	return "hardly learnt"
}

// recipe is the training of the paper's Bars and Stripes model: 2L Gaussian hidden units and L1. Its chains make
// latent moves; otherwise they would freeze while the model learns.
func recipe(o Options, images int) train.Config {
	cfg := train.Default()
	cfg.Epochs, cfg.Batch, cfg.Chains, cfg.Seed = o.Updates, images, 100, o.Seed
	cfg.Sampler, cfg.Tie = "latent", "transpose"
	cfg.Optimizer.Rate, cfg.Regularize.L1 = 0.03, 0.03
	return cfg
}

// learn trains the model and scores it.
func (t *Result) learn(ctx context.Context, o Options) error {
	spec := unit.Spec{Type: unit.Gaussian, N: 2 * o.Size}
	cfg := recipe(o, t.Images.States.Len)
	trainer, err := cfg.New(spec, train.Data{States: t.Images.States, Shape: t.Images.Shape}, o.Workers)
	if err != nil {
		return err
	}
	for trainer.Updates() < trainer.Total() {
		if err := trainer.Update(ctx); err != nil {
			return err
		}
	}
	t.Model = trainer.Model()
	t.Model.Info = map[string]string{"made by": "instanton demo"}
	n := float64(t.Images.States.Len)
	t.Training = Training{Size: o.Size, Images: t.Images.States.Len, Hidden: spec.String(), L1: cfg.Regularize.L1,
		Updates: o.Updates, Perfect: -math.Log(n), OnLine: onLine(t, o.Size)}
	return t.score(ctx, o)
}

// score computes the likelihood.
func (t *Result) score(ctx context.Context, o Options) error {
	sites, err := evaluate.Sites(t.Images.States, nil, nil)
	if err != nil {
		return err
	}
	score, err := evaluate.New(t.Model, t.Images.States, nil, false)
	if err != nil {
		return err
	}
	energy := *score.EffectiveEnergy
	if score.LogZ != nil {
		l := *score.LogLikelihood
		t.Training.LogLikelihood, t.Training.Lower, t.Training.Upper = l, l, l
	} else {
		a, err := evaluate.NewAIS(ctx, t.Model, evaluate.AISOptions{Seed: o.Seed, Reference: sites,
			Data: t.Images.States, Workers: o.Workers})
		if err != nil {
			return err
		}
		t.Training.doubt = a.Doubt()
		t.Training.LogLikelihood, t.Training.Lower, t.Training.Upper = -energy-a.LogZ, -energy-a.Upper, -energy-a.Lower
	}
	t.Training.Independent = -float64(t.Images.States.N) * math.Log(2) // every pixel is on in half of the images
	return nil
}

// onLine is the fraction of squared weights along the best line, averaged over hidden units.
func onLine(t *Result, side int) (mean float64) {
	units := t.Model.Hidden.Spec().N
	for mu := range units {
		total, sums := 0.0, make([]float64, 2*side)
		for i := range side * side {
			w := t.Model.Row(i)[mu]
			total += w * w
			sums[i/side] += w
			sums[side+i%side] += w
		}
		best := 0.0
		for _, x := range sums {
			best = max(best, x*x/(float64(side)*total))
		}
		mean += best / float64(units)
	}
	return mean
}

// how gives the training as commands.
func (l Training) how(seed uint64) []string {
	return []string{
		fmt.Sprintf("instanton data bas --size %d -o bas.npz", l.Size),
		fmt.Sprintf("instanton train bas.npz --hidden %s --l1 %g --lr 0.03 --batch %d --epochs %d --chains 100 --k 1 "+
			"--sampler latent --tie transpose --seed %d --out run", l.Hidden, l.L1, l.Images, l.Updates, seed),
		"instanton diagnose run/model.npz --modes labels:bas.npz",
		"instanton diagnose run/model.npz --modes labels:bas.npz --sampler latent",
	}
}
