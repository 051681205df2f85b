// Package interpret reads a trained model: what it says about single configurations, about pairs of visible units, and
// what each of its hidden units has learnt.
//
// NewMutants compares a configuration, such as a wild-type sequence, with its single and multiple mutants, by the
// difference of their effective energies; Spearman compares these with measurements. NewCouplings averages the second
// derivatives of the effective energy over data, and its scores rank pairs of sites by how strongly they interact;
// Precision says how many of the best pairs are contacts. NewUnits describes every hidden unit: its weights, its
// inputs, what drives it up and down, and which class it tells from the others.
//
//	x, err := interpret.NewMutants(m, wild, 0)
//	delta := x.Singles()                        // ΔE of every state at every site
//	c, err := interpret.NewCouplings(m, data, weights)
//	pairs := interpret.Ranked(c.Scores(), 4)    // sites at least four apart, strongest first
//
// All of it uses the batch engine and is as accurate as package rbm. Sites, units and states are counted from zero.
package interpret
