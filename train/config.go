package train

import (
	"fmt"
	"math"
	"slices"
	"strings"

	_ "instanton/latent" // the kernel of that name
	"instanton/sampler"
	"instanton/unit"
)

// Config are the settings of a training. Default gives those of the paper's recipe.
type Config struct {
	Epochs  int    `toml:"epochs" json:"epochs"`
	Batch   int    `toml:"batch" json:"batch"`     // samples of a minibatch
	Chains  int    `toml:"chains" json:"chains"`   // 0: as many as samples in a minibatch
	Sweeps  int    `toml:"k" json:"k"`             // sweeps of the chains in an update
	Method  string `toml:"method" json:"method"`   // pcd or cd
	Sampler string `toml:"sampler" json:"sampler"` // a kernel of package sampler
	Seed    uint64 `toml:"seed" json:"seed"`

	Gradient string  `toml:"gradient" json:"gradient"` // centred, standardised or plain
	Clip     float64 `toml:"clip" json:"clip"`         // largest entry of the gradient; 0: no limit
	Scale    float64 `toml:"scale" json:"scale"`       // weights start as N(0, scale²/N)
	Tie      string  `toml:"tie" json:"tie"`           // none or transpose

	Optimizer  Optimizer  `toml:"optimizer" json:"optimizer"`
	Schedule   Schedule   `toml:"schedule" json:"schedule"`
	Regularize Regularize `toml:"regularize" json:"regularize"`
}

// Default is the recipe: RMSprop at 5e-3, constant for half of the run and then down to
// a hundredth, ten epochs of minibatches of 100, one sweep an update.
func Default() Config {
	return Config{
		Epochs: 10, Batch: 100, Sweeps: 1, Method: "pcd", Sampler: "gibbs", Seed: 1,
		Gradient: "centred", Clip: 1, Scale: math.Sqrt(0.1), Tie: "none",
		Optimizer: Optimizer{Name: "rmsprop", Rate: 5e-3, Momentum: 0.9, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-3},
		Schedule:  Schedule{Name: "geometric", Final: 0.01},
	}
}

// Check reports settings that cannot be meant, for a model with the given hidden units.
func (c Config) Check(hidden unit.Spec) error {
	for _, v := range []struct {
		name               string
		value, least, most int
	}{{"epochs", c.Epochs, 1, 1 << 40}, {"batch", c.Batch, 1, math.MaxInt32}, {"chains", c.Chains, 0, math.MaxInt32}, {"k", c.Sweeps, 1, 1 << 40}} {
		if v.value < v.least {
			return fmt.Errorf("%s = %d: expected at least %d", v.name, v.value, v.least)
		}
		if v.value > v.most {
			return fmt.Errorf("%s = %d: expected at most %d", v.name, v.value, v.most)
		}
	}
	for _, v := range []struct {
		name, value string
		known       []string
	}{
		{"method", c.Method, []string{"pcd", "cd"}},
		{"sampler", c.Sampler, sampler.Names()},
		{"gradient", c.Gradient, []string{"centred", "standardised", "plain"}},
		{"tie", c.Tie, []string{"none", "transpose"}},
		{"optimizer", c.Optimizer.Name, []string{"rmsprop", "sgd", "adam"}},
		{"schedule", c.Schedule.Name, []string{"constant", "geometric", "cosine"}},
	} {
		if !slices.Contains(v.known, v.value) {
			return fmt.Errorf("%s %q: expected one of %s", v.name, v.value, strings.Join(v.known, ", "))
		}
	}
	for _, v := range []struct {
		name          string
		value, lo, hi float64 // lo ≤ value < hi
	}{
		{"clip", c.Clip, 0, math.Inf(1)}, {"scale", c.Scale, 0, math.Inf(1)},
		{"learning rate", c.Optimizer.Rate, math.SmallestNonzeroFloat64, math.Inf(1)},
		{"momentum", c.Optimizer.Momentum, 0, 1}, {"beta1", c.Optimizer.Beta1, 0, 1}, {"beta2", c.Optimizer.Beta2, 0, 1},
		{"epsilon", c.Optimizer.Epsilon, math.SmallestNonzeroFloat64, math.Inf(1)},
		{"final", c.Schedule.Final, 0, math.Inf(1)},
		{"l1", c.Regularize.L1, 0, math.Inf(1)}, {"l1b", c.Regularize.L1b, 0, math.Inf(1)},
		{"l2", c.Regularize.L2, 0, math.Inf(1)}, {"field l2", c.Regularize.FieldL2, 0, math.Inf(1)},
		{"penalty", c.Regularize.Penalty, 0, math.Inf(1)},
	} {
		if !(v.value >= v.lo && v.value < v.hi) {
			return fmt.Errorf("%s = %g: expected a number from %.3g to below %g", v.name, v.value, v.lo, v.hi)
		}
	}
	if c.Method == "cd" && c.Chains != 0 {
		return fmt.Errorf("%d chains with method cd, whose chains start at the minibatch, one each: expected 0", c.Chains)
	}
	if c.Regularize.Penalty > 0 && hidden.Type == unit.Potts {
		return fmt.Errorf("a penalty of %g with %s hidden units: it multiplies means of hidden units, of which a Potts unit has none; expected 0", c.Regularize.Penalty, hidden.Type)
	}
	if c.Schedule.Name == "geometric" && c.Schedule.Final == 0 {
		return fmt.Errorf("a geometric schedule that ends at 0: expected a positive fraction of the learning rate")
	}
	return nil
}
