// Package mixing judges Markov chains: whether they mix between the modes of a model, how
// long that takes, and which moves would do better.
//
// A scalar followed by several chains is a [][]float64, chain by draw. Names and formulas
// are those of Vehtari, Gelman, Simpson, Carpenter and Bürkner (Bayesian Analysis 16, 2021)
// as ArviZ computes them, and of Sokal for the integrated autocorrelation time.
package mixing
