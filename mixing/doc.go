// Package mixing judges Markov chains: whether they mix between the modes of a model, how long that takes, and which
// moves would do better.
//
// Start chains in different places (Starts), run them with package sampler, and say what the modes are: around stored
// patterns (Patterns), around labelled examples (Labels), by principal components (PCA) or by clusters of the samples
// (Clusters). Diagnose then gives the verdict, the numbers behind it and advice. The numbers are also available one by
// one: RHat, BulkESS, TailESS, MCSE and Tau of any scalar, and Occupy for the paths of chains among modes.
//
// A scalar followed in several chains is a [][]float64, indexed by chain and draw. Names and formulas are those of
// Vehtari, Gelman, Simpson, Carpenter and Bürkner (Bayesian Analysis 16, 2021), as computed by ArviZ, and of Sokal for
// the integrated autocorrelation time.
package mixing
