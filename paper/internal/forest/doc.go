// Package forest classifies configurations of spins or 0/1 pixels by random forests
// (Breiman, Machine Learning 45, 2001): many decision trees, each grown on a bootstrap of
// the examples, each node split by the best of a few features drawn at random.
package forest
