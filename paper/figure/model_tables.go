package figure

import (
	"errors"
	"math"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
)

// basTable says how good models are, before anything is said of samplers.
func basTable(r *verdict.Result, models ...*experiment.BAS) {
	t := r.Table("models",
		"The models: mean log-likelihood of the images, with log Z from the sum over images and the share of images "+
			"in samples, and by annealing (errors include what separates the two beyond the error of annealing); "+
			"−log of the number of images would be perfect. "+
			"Probability of all images together; share of the stripes; largest probability of one image times the "+
			"number of images.",
		"model", "log-likelihood", "error", "by annealing", "perfect", "images", "error of images", "stripes",
		"error of stripes", "largest image")
	t.Shown = true
	for _, b := range models {
		m, n := b.Modes, float64(b.Data.States.Len)
		t.Add(string(b.Kind), m.LL, m.LogZErr, b.Likelihood.Train, -math.Log(n), m.Valid, m.ValidErr,
			m.Weights[dataset.Stripe].Share, m.Weights[dataset.Stripe].Error, m.Largest*n)
	}
}

// fewChains is the number of annealed chains below which a weight is not to be relied on.
const fewChains = 10

// modelTable says how good a model is, before anything is said of samplers.
func modelTable(r *verdict.Result, t *experiment.Trained, weights []evaluate.ClassWeight, rows ...[3]any) {
	table := r.Table("model",
		"The model: mean log-likelihoods per sample in nats, and the weights of the modes, found by annealing to and "+
			"from the independent sites of each class.", "quantity", "value", "error")
	table.Shown = true
	l := t.Likelihood
	table.Add("log-likelihood of the training data, annealed from the sites of all", l.Train, l.HalfWidth())
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
			r.Note("The weight of class %s rests on %.1f annealed chains: take it for an order of magnitude.", w.Name,
				w.ESS)
		}
	}
	if l.Doubt != "" {
		r.Note("Of the annealing from the sites of all data: %s.", l.Doubt)
	}
}

// withoutMNIST is the result of a figure whose data cannot be had: a sentence that says so.
func withoutMNIST(s verdict.Settings, err error) (*verdict.Result, error) {
	if !errors.Is(err, experiment.ErrNoMNIST) {
		return nil, err
	}
	s.Progress("%v", err)
	return &verdict.Result{Missing: err.Error()}, nil
}
