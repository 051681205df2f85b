// Package contest compares samplers on one model, by the same measure and at the same cost.
//
// Every sampler runs the same number of chains, which start in turn from each of the modes. A chain is a run, and what
// it is worth is the effective sample size of the mode that it is in,
//
//	ESS = Σ_a p_a(1−p_a) / Σ_a Var(share of mode a in a run),
//
// the number of independent draws that would know the weights p_a of the modes as well as one run does. It is given
// per second of processor time on one core, and per 10⁵ steps of alternating Gibbs sampling that cost as much (a
// ladder of K replicas counts K). Transitions are not a measure: replica exchange makes many that lead nowhere.
//
// Where the chains disagree (R-hat above 1.05) the sampler has not mixed, and no effective sample size means anything;
// the weights by start then show which starts disagree.
//
//	o := contest.Options{Model: m, Modes: modes, Starts: starts, Runs: 100, Seconds: 10}
//	row, err := contest.Run(ctx, contest.Sampler{Name: "gibbs", Make: make}, o)
package contest
