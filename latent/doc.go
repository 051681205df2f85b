// Package latent holds latent moves: Markov kernels that change hidden units with the visible units summed out.
//
// Alternating Gibbs sampling crosses from one mode of P(v) to another only by way of unlikely configurations. A latent
// move draws a hidden unit, a block of them or a step along a direction from its law given the other hidden units,
// P(h_μ|h_rest) ∝ e^{−E_eff(h)}, and so jumps between modes that differ in these units. A kernel makes such moves
// between the two halves of a Gibbs step and leaves P(v)^β invariant:
//
//	k, err := latent.New(m, 1, latent.Options{Block: 2})
//	…
//	err = sampler.NewPool(k, 0).Run(ctx, chains, 1000)
package latent
