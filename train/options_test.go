package train

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"instanton/rbm"
	"instanton/unit"
)

// Recipe and Default are the same settings, as values and by name: they train to the same bits.
func TestRecipeIsTheDefault(t *testing.T) {
	data := Data{States: samples(t, unit.Spec{Type: unit.Bernoulli, N: 20}, 300)}
	hidden := unit.Spec{Type: unit.Spin, N: 10}
	named, err := Default().New(hidden, data, 1)
	if err != nil {
		t.Fatal(err)
	}
	values, err := New(hidden, data, Recipe())
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range []*Trainer{named, values} {
		if err := tr.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if string(file(t, named)) != string(file(t, values)) {
		t.Error("the recipe and the default settings train to different bits")
	}
}

// The callback hears of every update, and its error ends the training.
func TestCallback(t *testing.T) {
	stop := errors.New("enough")
	o := Recipe()
	var heard []int
	o.Callback = func(tr *Trainer) error {
		heard = append(heard, tr.Updates())
		if len(heard) == 3 {
			return stop
		}
		return nil
	}
	tr, err := New(pairs[1].hidden, Data{States: samples(t, pairs[1].visible, 50)}, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Run(context.Background()); !errors.Is(err, stop) || len(heard) != 3 || heard[2] != 3 ||
		tr.Updates() != 3 {
		t.Errorf("error %v after updates %v", err, heard)
	}
}

// inert is a regulariser without derivatives.
type inert struct{}

func (inert) Cost(*rbm.RBM) float64 { return 0 }

func TestOptionsAreChecked(t *testing.T) {
	data := Data{States: samples(t, pairs[1].visible, 50)}
	for want, change := range map[string]func(*Options){
		"0 epochs: expected at least 1":             func(o *Options) { o.Epochs = 0 },
		"-1 chains":                                 func(o *Options) { o.Chains = -1 },
		"a learning rate of NaN":                    func(o *Options) { o.Rate = math.NaN() },
		"a learning rate of 0: expected a positive": func(o *Options) { o.Rate = 0 },
		"a limit of the gradient of -1":             func(o *Options) { o.Clip = -1 },
		"no optimiser":                              func(o *Options) { o.Optimizer = nil },
		"5 chains that start at the minibat":        func(o *Options) { o.Contrastive, o.Chains = true, 5 },
		"train.inert has no derivatives":            func(o *Options) { o.Regularizers = []Regularizer{inert{}} },
	} {
		o := Recipe()
		change(&o)
		if _, err := New(pairs[1].hidden, data, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	o := Recipe()
	o.Regularizers = []Regularizer{Penalty(0.1)}
	if _, err := New(unit.Spec{Type: unit.Potts, N: 3, Q: 3}, data, o); err == nil {
		t.Error("a penalty on Potts hidden units was accepted")
	}
}

func TestOptimizersAreChecked(t *testing.T) {
	data := Data{States: samples(t, pairs[1].visible, 50)}
	for want, optimizer := range map[string]Optimizer{
		"SGD with momentum 1: expected at least 0 and below 1": SGD{Momentum: 1},
		"RMSprop with ε = 0: expected a positive number":       RMSprop{},
		"RMSprop with β = NaN: expected a finite number":       RMSprop{Beta: math.NaN(), Epsilon: 1},
		"Adam with β₁ = -1":                                    Adam{Beta1: -1, Epsilon: 1},
		"Adam with β₂ = 1":                                     Adam{Beta2: 1, Epsilon: 1},
		"Adam with ε = 0":                                      Adam{},
	} {
		o := Recipe()
		o.Optimizer = optimizer
		if _, err := New(pairs[1].hidden, data, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestDataAreChecked(t *testing.T) {
	states := samples(t, pairs[1].visible, 3)
	for want, data := range map[string]Data{
		"no data":              {},
		"all 3 weights are 0":  {States: states, Weights: make([]float64, 3)},
		"weight 1 is -1":       {States: states, Weights: []float64{1, -1, 1}},
		"2 weights for 3":      {States: states, Weights: []float64{1, 1}},
		"no sample with a pos": {States: states, Weights: []float64{1, 0, 1}, Rows: []int{1}},
	} {
		if _, err := New(pairs[1].hidden, data, Recipe()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	tied := Default()
	tied.Tie = "transpose"
	if _, err := tied.New(pairs[1].hidden, Data{}, 1); err == nil {
		t.Error("tied weights without data were accepted")
	}
}

// A symmetry of another size is refused.
func TestSymmetryOfAnotherSize(t *testing.T) {
	o := Recipe()
	var err error
	if o.Symmetry, err = NewSymmetry([]int{1, 0}, 3); err != nil {
		t.Fatal(err)
	}
	data := Data{States: unit.NewStates(unit.Spec{Type: unit.Spin, N: 4}, 10)}
	if _, err := New(unit.Spec{Type: unit.Spin, N: 3}, data, o); err == nil || !strings.Contains(err.Error(),
		"expected 4 and 3") {
		t.Errorf("error %v, want one with the sizes", err)
	}
}
