// Package sampler provides Markov kernels on batches of chains, and the pool of workers that runs them.
//
// A chain is its visible configuration, and with a Replicated kernel also those of its replicas; hidden units are drawn
// afresh in every sweep. Build or load a model, make a
// kernel that leaves its law P(v)^β invariant, start chains, and run them:
//
//	kernel, err := sampler.NewGibbs(model, 1)
//	chains := sampler.NewChains(model, 1000, seed)
//	err = sampler.NewPool(kernel, 0).Run(ctx, chains, 500)
//
// Pool.Record also keeps draws on the way, with hidden units and energies if wanted. A random number is a function of
// (seed, purpose, chain, sweep, unit): the same seed gives the same bits for any number of workers, and an interrupted
// run continues as if nothing had happened.
//
// Gibbs is alternating Gibbs sampling; Metropolis and Glauber change one visible unit at a time; package latent has
// moves in the space of the hidden units. A kernel of your own needs three methods: see Kernel and its example.
package sampler
