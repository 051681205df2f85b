// Package train fits Restricted Boltzmann Machines to data by maximum likelihood.
//
// The gradient of the mean log-likelihood is a difference of averages over the data and
// over the model. The first is taken over minibatches with ⟨h|v⟩ for the hidden units, the
// second over Markov chains that any kernel of package sampler moves: they go on from
// update to update (PCD), or start at the minibatch each time (CD).
//
// A Trainer owns everything that the next update depends on, and its State is all of it:
// a training cut anywhere and taken up again ends with the same bits, whatever the number
// of workers.
package train
