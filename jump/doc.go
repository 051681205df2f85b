// Package jump moves chains between far modes by learnt jumps: a whole layer is drawn from a law q that has been fitted
// to the model, and the draw is accepted or rejected so that the law of the model stays exactly invariant.
//
// Chains of alternating Gibbs sampling do not cross from one mode to another if the barrier is high, and tempering is
// slow if the modes look different at every temperature. A proposal that knows all modes jumps at once. It need not be
// good: acceptances of a few per cent are enough.
//
// # Fitting
//
// Fit does everything: chains start from data, what they visit is fitted, then they jump and what they visit is fitted
// again.
//
//	f, err := jump.Fit(ctx, model, 1, data, jump.Options{Seed: 1})
//	pool := sampler.NewPool(f.Kernel, 0)
//	err = pool.Run(ctx, chains, 1000)
//
// A Proposal is a mixture of products (FitProducts) or a neural autoregressive network (FitNetwork), in the hidden
// layer if that is smaller, otherwise in the visible one (Side). Fit tries the mixture first. Its Rounds say how often
// jumps were accepted, and how far q is from the model in both directions (Divergence).
//
// # Measuring
//
// The proposal of a Fitted is frozen, so the chains of its Kernel are Markov chains like any others. What they do not
// show by themselves is a mode that q lacks: a chain there rejects every jump. Measure watches for such chains with a
// Guard, adds their states to the fit and begins again. ModeAcceptance is the probability of jumps from mode to mode.
//
// # Training
//
// A Tracker keeps a network close to a model that changes: a few steps of its optimiser follow every update of the
// model. Save and Load keep a proposal in a file.
package jump
