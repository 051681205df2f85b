package train

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"instanton/batch"
	"instanton/internal/kernels"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Config holds the settings of a training by name, as files and command lines give them. Default names those of Recipe,
// and Options turns names into values.
type Config struct {
	Epochs  int    `toml:"epochs" json:"epochs"`
	Batch   int    `toml:"batch" json:"batch"`     // samples per minibatch
	Chains  int    `toml:"chains" json:"chains"`   // 0: one per sample of a minibatch
	Sweeps  int    `toml:"k" json:"k"`             // sweeps of the chains per update
	Method  string `toml:"method" json:"method"`   // pcd or cd
	Sampler string `toml:"sampler" json:"sampler"` // auto, jump or a kernel of package sampler
	Seed    uint64 `toml:"seed" json:"seed"`

	Gradient string  `toml:"gradient" json:"gradient"` // centred, standardised or plain
	Clip     float64 `toml:"clip" json:"clip"`         // largest |entry| of the gradient; 0: no limit
	Scale    float64 `toml:"scale" json:"scale"`       // weights start as N(0, scale²/N)
	Tie      string  `toml:"tie" json:"tie"`           // none or transpose

	Optimizer  OptimizerConfig  `toml:"optimizer" json:"optimizer"`
	Schedule   ScheduleConfig   `toml:"schedule" json:"schedule"`
	Regularize RegularizeConfig `toml:"regularize" json:"regularize"`
}

// OptimizerConfig names an optimiser and holds the settings of all of them.
type OptimizerConfig struct {
	Name     string  `toml:"name" json:"name"`         // rmsprop, sgd or adam
	Rate     float64 `toml:"rate" json:"rate"`         // η
	Momentum float64 `toml:"momentum" json:"momentum"` // ρ, of sgd
	Beta1    float64 `toml:"beta1" json:"beta1"`       // of adam
	Beta2    float64 `toml:"beta2" json:"beta2"`       // of rmsprop and adam
	Epsilon  float64 `toml:"epsilon" json:"epsilon"`   // of rmsprop and adam
}

// ScheduleConfig names a schedule.
type ScheduleConfig struct {
	Name  string  `toml:"name" json:"name"`   // constant, geometric or cosine
	Final float64 `toml:"final" json:"final"` // ratio of the last learning rate to the first
}

// RegularizeConfig holds the strength λ of every regulariser; terms of strength zero are left out.
type RegularizeConfig struct {
	L1      float64 `toml:"l1" json:"l1"`
	L1b     float64 `toml:"l1b" json:"l1b"`
	L2      float64 `toml:"l2" json:"l2"`
	FieldL2 float64 `toml:"field_l2" json:"field_l2"`
	Penalty float64 `toml:"penalty" json:"penalty"`
}

// Default names the settings of Recipe.
func Default() Config {
	return Config{
		Epochs: 10, Batch: 100, Sweeps: 1, Method: "pcd", Sampler: "gibbs", Seed: 1,
		Gradient: "centred", Clip: 1, Scale: math.Sqrt(0.1), Tie: "none",
		Optimizer: OptimizerConfig{Name: "rmsprop", Rate: 5e-3, Momentum: 0.9, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-3},
		Schedule:  ScheduleConfig{Name: "geometric", Final: 0.01},
	}
}

// New prepares a training with these settings. The number of workers, zero for one per processor, affects only the time
// it takes.
func (c Config) New(hidden unit.Spec, data Data, workers int) (*Trainer, error) {
	return c.NewOn(nil, hidden, data, workers)
}

// NewOn is New on a device, nil for the processor.
func (c Config) NewOn(d batch.Device, hidden unit.Spec, data Data, workers int) (*Trainer, error) {
	o, err := c.Options(hidden, data)
	if err != nil {
		return nil, err
	}
	o.Workers, o.Device = workers, d
	return New(hidden, data, o)
}

// Options turns names into values, for a model with the given hidden units and data.
func (c Config) Options(hidden unit.Spec, data Data) (Options, error) {
	if err := c.Check(hidden); err != nil {
		return Options{}, err
	}
	o := Options{
		Epochs: c.Epochs, Batch: c.Batch, Chains: c.Chains, Sweeps: c.Sweeps, Contrastive: c.Method == "cd",
		Optimizer: c.Optimizer.optimizer(), Rate: c.Optimizer.Rate, Schedule: c.Schedule.schedule(), Clip: c.Clip,
		Regularizers: c.Regularize.regularizers(), Coordinates: c.coordinates(), Scale: c.Scale, Seed: c.Seed,
	}
	switch c.Sampler {
	case "gibbs":
	case "auto":
		if !o.Contrastive { // those chains start at the data
			o.Jumps = JumpIfStuck
		}
	case "jump":
		o.Jumps = AlwaysJump
	default:
		o.Kernel = func(m *rbm.RBM) (sampler.Kernel, error) { return kernels.New(c.Sampler, m, 1, kernels.Options{}) }
	}
	if c.Tie == "transpose" {
		if data.States == nil {
			return o, errNoData
		}
		p, err := Transposition(data.Shape, data.States.N)
		if err != nil {
			return o, err
		}
		if o.Symmetry, err = NewSymmetry(p, hidden.N); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (c OptimizerConfig) optimizer() Optimizer {
	switch c.Name {
	case "sgd":
		return SGD{Momentum: c.Momentum}
	case "adam":
		return Adam{Beta1: c.Beta1, Beta2: c.Beta2, Epsilon: c.Epsilon}
	}
	return RMSprop{Beta: c.Beta2, Epsilon: c.Epsilon}
}

func (c ScheduleConfig) schedule() Schedule {
	switch c.Name {
	case "geometric":
		return Geometric(c.Final)
	case "cosine":
		return Cosine(c.Final)
	}
	return Constant
}

func (c RegularizeConfig) regularizers() (list []Regularizer) {
	for _, r := range []struct {
		strength float64
		term     Regularizer
	}{
		{c.L1, L1(c.L1)}, {c.L1b, L1b(c.L1b)}, {c.L2, L2(c.L2)},
		{c.FieldL2, FieldL2(c.FieldL2)}, {c.Penalty, Penalty(c.Penalty)},
	} {
		if r.strength != 0 {
			list = append(list, r.term)
		}
	}
	return list
}

func (c Config) coordinates() Coordinates {
	switch c.Gradient {
	case "plain":
		return Plain
	case "standardised":
		return Standardised
	}
	return Centred
}

// Check refuses invalid settings, for a model with the given hidden units.
func (c Config) Check(hidden unit.Spec) error {
	for _, v := range []struct {
		name               string
		value, least, most int
	}{
		{"epochs", c.Epochs, 1, 1 << 40}, {"batch", c.Batch, 1, math.MaxInt32},
		{"chains", c.Chains, 0, math.MaxInt32}, {"k", c.Sweeps, 1, 1 << 40},
	} {
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
		{"sampler", c.Sampler, append([]string{"auto", "jump"}, kernels.Simple()...)},
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
		name  string
		value float64
		valid interval
	}{
		{"clip", c.Clip, nonNegative}, {"scale", c.Scale, nonNegative},
		{"learning rate", c.Optimizer.Rate, positive}, {"momentum", c.Optimizer.Momentum, belowOne},
		{"beta1", c.Optimizer.Beta1, belowOne}, {"beta2", c.Optimizer.Beta2, belowOne},
		{"epsilon", c.Optimizer.Epsilon, positive}, {"final", c.Schedule.Final, nonNegative},
		{"l1", c.Regularize.L1, nonNegative}, {"l1b", c.Regularize.L1b, nonNegative},
		{"l2", c.Regularize.L2, nonNegative}, {"field l2", c.Regularize.FieldL2, nonNegative},
		{"penalty", c.Regularize.Penalty, nonNegative},
	} {
		if err := v.valid.check(v.value); err != nil {
			return fmt.Errorf("%s = %g: %w", v.name, v.value, err)
		}
	}
	if c.Method == "cd" && c.Chains != 0 {
		return fmt.Errorf("%d chains with method cd, which starts one chain at each sample of a minibatch: "+
			"expected 0", c.Chains)
	}
	if c.Method == "cd" && c.Sampler == "jump" {
		return fmt.Errorf("sampler jump with method cd, whose chains start at the data: expected pcd")
	}
	if c.Regularize.Penalty > 0 && hidden.Type == unit.Potts {
		return fmt.Errorf("a penalty of %g with %s hidden units, which have no means to multiply: expected 0",
			c.Regularize.Penalty, hidden.Type)
	}
	if c.Schedule.Name == "geometric" && c.Schedule.Final == 0 {
		return fmt.Errorf("a geometric schedule that ends at 0: expected a positive fraction of the learning rate")
	}
	return nil
}
