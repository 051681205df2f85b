package train

import (
	"math"

	"instanton/jump"
	"instanton/unit"
)

// Automatic stands for a number of chains that Resolve chooses; zero means one per sample of a minibatch.
const Automatic = -1

// Auto leaves the numbers of epochs, samples per minibatch, chains and sweeps, and the learning rate, to Resolve, and
// lets chains jump if they need to.
func Auto() Config {
	c := Default()
	c.Epochs, c.Batch, c.Chains, c.Sweeps, c.Optimizer.Rate, c.Sampler = 0, 0, Automatic, 0, 0, "auto"
	return c
}

// CheckOpen is Check for settings some of which are left to Resolve: numbers that are zero, and Automatic chains.
func (c Config) CheckOpen(hidden unit.Spec) error { return c.orElse(Default()).Check(hidden) }

// orElse takes the settings that are open from other.
func (c Config) orElse(other Config) Config {
	for _, x := range []struct{ to, from *int }{
		{&c.Epochs, &other.Epochs}, {&c.Batch, &other.Batch}, {&c.Sweeps, &other.Sweeps},
	} {
		if *x.to == 0 {
			*x.to = *x.from
		}
	}
	if c.Chains == Automatic {
		c.Chains = other.Chains
	}
	if c.Optimizer.Rate == 0 {
		c.Optimizer.Rate = other.Optimizer.Rate
	}
	return c
}

// What Resolve chooses, found by trying (docs/training.md).
const (
	autoChains  = 500
	autoSweeps  = 10
	autoUpdates = 2000 // for autoUnits visible units
	leastBatch  = 100
	mostBatch   = 500
	perBatch    = 50 // minibatches in an epoch, if they are neither too small nor too large
	autoUnits   = 16
	mostUpdates = 6000
)

// autoRates are learning rates of RMSprop and Adam for autoUnits visible units. Hidden units that respond without a
// bound need smaller steps.
var autoRates = map[unit.Type]float64{
	unit.Spin: 0.0015, unit.Bernoulli: 0.003, unit.Potts: 0.0015, unit.Gaussian: 0.001, unit.ReLU: 0.0012,
	unit.DReLU: 0.001,
}

// Around few samples chains jump from the beginning: they mix, so fewer sweeps and larger steps will do.
const (
	jumpSweeps = 5
	jumpFactor = 3.0 // by which steps are larger, for autoUnits visible units
)

// jumpsAround tells whether chains will jump between the samples.
func (c Config) jumpsAround(data Data) bool {
	if c.Method == "cd" || c.Sampler != "auto" && c.Sampler != "jump" {
		return false
	}
	centres, _ := distinct(data, jump.MaxCentres)
	return centres != nil
}

// sgdFactor is by how much larger the rate of SGD is, whose steps are proportional to the gradient.
const sgdFactor = 5

// Resolve replaces settings that are left open by values that follow from the data and the hidden units, and leaves
// all others as they are.
func (c Config) Resolve(hidden unit.Spec, data Data) (Config, error) {
	if err := c.CheckOpen(hidden); err != nil {
		return c, err
	}
	data, err := data.check()
	if err != nil {
		return c, err
	}
	n := len(data.Rows)
	auto := Config{Chains: autoChains, Sweeps: autoSweeps}
	auto.Batch = n
	if n > mostBatch {
		auto.Batch = min(mostBatch, max(leastBatch, n/perBatch))
	}
	if c.Method == "cd" {
		auto.Chains = 0
	}
	batch := c.Batch
	if batch == 0 {
		batch = auto.Batch
	}
	perEpoch := (n + batch - 1) / batch
	// A hidden unit's input changes by the steps of all visible units: more of them need smaller steps, and more steps.
	slower := math.Pow(max(1, float64(data.States.N)/autoUnits), 0.25)
	auto.Epochs = max(1, int(min(mostUpdates, autoUpdates*slower))/perEpoch)
	auto.Optimizer.Rate = autoRates[hidden.Type] / slower
	if data.States.Type == unit.Bernoulli { // 0 and 1 are half as far apart as ±1, so that weights are twice as large
		auto.Optimizer.Rate *= 2
	}
	if c.jumpsAround(data) {
		factor := jumpFactor
		auto.Sweeps = jumpSweeps
		if hidden.Type == unit.DReLU { // whose energies take long: fewer chains, so the gradient has more noise
			factor, auto.Chains = 2, autoChains/2
		}
		auto.Optimizer.Rate *= max(1, factor/slower)
	}
	if c.Optimizer.Name == "sgd" {
		auto.Optimizer.Rate *= sgdFactor
	}
	auto.Optimizer.Rate = roundTo(auto.Optimizer.Rate, 2)
	return c.orElse(auto), nil
}

// roundTo keeps a number of significant digits, so that the settings read well.
func roundTo(x float64, digits int) float64 {
	scale := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(x)))
	return math.Round(x*scale) / scale
}
