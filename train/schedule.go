package train

import "math"

// Schedule gives the learning rate as a fraction of its first value, after a share (0 to 1) of the training.
type Schedule func(share float64) float64

// Constant keeps the learning rate as it is.
func Constant(float64) float64 { return 1 }

// Geometric is constant for half of the training and then falls to the given fraction, by the same factor in every
// update.
func Geometric(final float64) Schedule {
	return func(share float64) float64 { return math.Pow(final, max(0, 2*share-1)) }
}

// Cosine falls to the given fraction along half a period of a cosine.
func Cosine(final float64) Schedule {
	return func(share float64) float64 { return final + (1-final)*(1+math.Cos(math.Pi*share))/2 }
}
