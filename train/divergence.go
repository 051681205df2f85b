package train

import "fmt"

// Divergence is a training that has left the numbers.
type Divergence struct {
	Quantity string
	Value    float64
	Update   int
	Advice   string
}

func (d *Divergence) Error() string {
	return fmt.Sprintf("the training diverged: %s is %g at update %d; %s", d.Quantity, d.Value, d.Update, d.Advice)
}

// runaway is the length of a hidden unit's weights, averaged over hidden units, that no
// useful model has.
const runaway = 1e3

func (t *Trainer) diverged(quantity string, value float64) error {
	advice := fmt.Sprintf("try a smaller learning rate than %g", t.cfg.Optimizer.Rate)
	if t.cfg.Clip == 0 {
		advice += ", clipped gradients (clip = 1)"
	}
	if !t.model.Visible.Spec().Type.Discrete() && !t.coords.standardised {
		advice += ", gradient = standardised"
	}
	return &Divergence{quantity, value, t.updates + 1, advice + fmt.Sprintf(", more sweeps an update than %d, or l2 to hold the weights", t.cfg.Sweeps)}
}
