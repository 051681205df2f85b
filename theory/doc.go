// Package theory computes what alternating Gibbs sampling (AGS) does to mean-field Restricted Boltzmann Machines
// when the number N of visible spins is large. Package dynamics does the same exactly at finite N.
//
// Three models share one engine, the [Landscape]: [CurieWeiss] (one hidden unit), [Hopfield] (one hidden unit per
// pattern) and [Structured] (visible blocks that overlap two by two, any convex hidden potential). In each, the visible
// spins fall into classes that see the same field, so that a state is a vector of class magnetizations and AGS is a map
// on them.
//
// The package finds the critical points of the free energy f and the graph of minima and saddles, the path of T steps
// that minimises the action Φ (minus the log-probability of a path, per spin), its limit T → ∞, and the potential that
// a hidden unit sees with the others frozen.
//
// Hidden values are rescaled by √N throughout, as in the paper: h here is h/√N there. All arithmetic is float64.
package theory
