package train

import "fmt"

// Divergence is the error of a training that has diverged (NaN, Inf or huge weights).
type Divergence struct {
	Quantity string
	Value    float64
	Update   int
	Rate     float64 // the first learning rate
	Sweeps   int     // of the chains in an update
	Remedies []Remedy
}

// Remedy is a change of the settings that may keep a training from diverging.
type Remedy int

// The remedies, in the order in which to try them.
const (
	SmallerRate Remedy = iota
	ClipGradients
	StandardiseGradients
	MoreSweeps
	RegularizeWeights
)

func (d *Divergence) Error() string {
	text := fmt.Sprintf("the training diverged: %s is %g at update %d", d.Quantity, d.Value, d.Update)
	for k, r := range d.Remedies {
		switch {
		case k == 0:
			text += "; try "
		case k == len(d.Remedies)-1:
			text += ", or "
		default:
			text += ", "
		}
		switch r {
		case SmallerRate:
			text += fmt.Sprintf("a smaller learning rate than %g", d.Rate)
		case ClipGradients:
			text += "clipped gradients"
		case StandardiseGradients:
			text += "standardised gradients"
		case MoreSweeps:
			text += fmt.Sprintf("more sweeps per update than %d", d.Sweeps)
		case RegularizeWeights:
			text += "a regulariser of the weights"
		}
	}
	return text
}

// runaway is a root-mean-square norm of the hidden units' weight vectors that no useful model reaches.
const runaway = 1e3

// diverged says which quantity has diverged; Update adds when, and what to try.
func diverged(quantity string, value float64) error {
	return &Divergence{Quantity: quantity, Value: value}
}

// explain adds to a divergence when it happened and what to try.
func (t *Trainer) explain(d *Divergence) {
	d.Update, d.Rate, d.Sweeps = t.updates+1, t.options.Rate, t.options.Sweeps
	d.Remedies = []Remedy{SmallerRate}
	if t.options.Clip == 0 {
		d.Remedies = append(d.Remedies, ClipGradients)
	}
	if !t.model.Visible.Spec().Type.Discrete() && !t.coords.standardised {
		d.Remedies = append(d.Remedies, StandardiseGradients)
	}
	d.Remedies = append(d.Remedies, MoreSweeps, RegularizeWeights)
}
