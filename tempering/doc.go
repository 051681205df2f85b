// Package tempering samples by replica exchange: each chain carries replicas of itself along a ladder of laws, from one
// that is easy to sample to the model, and neighbours on the ladder exchange their configurations.
//
// The rungs r = 0 … K−1 have laws ∝ e^{−F_r(v)}; the last is that of the model. In a sweep, every replica makes a step
// of a kernel that leaves the law of its rung invariant; then rungs r and r+1 exchange configurations with probability
//
//	min(1, exp[F_r(v_r) + F_{r+1}(v_{r+1}) − F_r(v_{r+1}) − F_{r+1}(v_r)]),
//
// r even in even sweeps and odd in odd ones. The product of all laws is invariant, and with it P(v) for the chain
// itself. There are four kinds of ladder, one file each:
//
//	kernel, err := tempering.NewBeta(model, 1, options)               // P(v)^β down to β = 0
//	kernel, err := tempering.NewMixture(model, mixture, options)      // q(v,z)^{1−b} e^{−bE(v,h)}, q fitted to data
//	kernel, err := tempering.NewTrajectory(model, models, options)    // models on the way of a training
//	kernel, err := tempering.NewStacked(stack)                        // models of the hidden units of each other
//
// The first three find their rungs in a pilot run. Where a Mixture with several classes is given, every rung but the
// ends is weighted so that it holds all classes: a ladder that has lost a class in its middle does not carry chains
// from one to another, however many replicas go up and down.
//
// A Kernel is a sampler.Kernel like any other:
//
//	chains := sampler.NewChains(model, 100, seed)
//	err = sampler.NewPool(kernel, 0).Run(ctx, chains, 1000)
//	report, err := kernel.Report(chains)
//
// The report has the rates of exchange, their sum Λ, round trips between the ends, and the classes on every rung.
package tempering
