// Package dynamics computes how samplers move: exactly at finite N, and along the rare paths from one state to another.
//
// A [Chain] is a Markov kernel on N spins of a mean-field model of package theory, lumped onto the quantities that its
// transitions depend on, with its transition matrix written out. [CurieWeiss] and [Structured] build it for alternating
// Gibbs sampling (AGS), Metropolis and two latent moves ([Kernel]). [Chain.Relaxation] and [Chain.MeanFirstPassage]
// keep their relative accuracy however long the times are; [AsymptoticLogTime] is their limit of large N.
//
// A [Transition] draws whole paths from one state of a model to another, far rarer than can be waited for, from the law
// that they have in equilibrium.
//
// Hidden values of a chain are those of the model, √N times those of package theory. All arithmetic is float64.
package dynamics
