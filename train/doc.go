// Package train fits Restricted Boltzmann Machines to data by maximum likelihood.
//
// A training needs data, the hidden units of the model, and options; Recipe gives those of the paper as a starting
// point:
//
//	o := train.Recipe()
//	o.Epochs, o.Rate = 100, 0.01
//	t, err := train.New(unit.Spec{Type: unit.Spin, N: 16}, train.Data{States: images}, o)
//	if err != nil {
//		return err
//	}
//	if err := t.Run(ctx); err != nil {
//		return err
//	}
//	err = t.Model().Save("model.npz", false)
//
// # What an update does
//
// The gradient of the mean log-likelihood L minus the regularisers R is a difference of averages over the data and over
// the model,
//
//	∂(L − R)/∂θ = ⟨−∂E/∂θ⟩_data − ⟨−∂E/∂θ⟩_model − ∂R/∂θ.
//
// The first average is taken over a minibatch, with ⟨h|v⟩ for the hidden units. The second is taken over Markov chains,
// which continue from update to update (persistent contrastive divergence, PCD) or start at the minibatch each time
// (contrastive divergence, CD). The optimiser turns the gradient into a step, by default in centred Coordinates, in
// which a change of the weights does not act as a change of the fields.
//
// # Your own parts
//
// Options holds values, and each may come from outside this package:
//
//   - Kernel prepares what moves the chains: any sampler.Kernel;
//   - Optimizer turns gradients into steps: SGD, RMSprop, Adam, or one of your own;
//   - Regularizers are terms such as L1, L1b, L2, FieldL2 and Penalty, or your own, which act on the weights, on the
//     visible fields or on the means of the hidden units;
//   - Schedule is the learning rate over time: Constant, Geometric, Cosine, or any function;
//   - Callback is called after every update, to monitor, to save or to stop the training.
//
// Config has the same settings by name, for files and command lines. Auto leaves numbers open that Resolve chooses by
// the data and the hidden units.
//
// # Is the model good?
//
// A Watch follows the likelihood through the training, exactly or by a population of weighted chains, without touching
// it. Call its Check now and then, keep the model when Check says that it is the best so far, and ask Conclude for the
// verdict: Good, Drifted, NotLearnt or NotKnown.
//
// # Stopping and resuming
//
// A Trainer owns everything that the next update depends on, and a Checkpoint is all of it: a training stopped anywhere
// and resumed by Restore ends with the same bits, whatever the number of workers. A training that diverges ends with a
// Divergence, which says what to try.
package train
