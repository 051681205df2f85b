// Package batch computes with a model on batches of configurations: inputs, means, draws,
// energies, and the averages that training needs.
//
// Package rbm does the mathematics of one configuration at a time, in float64. This package
// prepares a model once and then works on many configurations side by side, compactly stored
// as unit.States, on several workers. An Engine is a model on a device; New prepares one on
// the processor. Another device is another implementation of the same interface: no method
// hands out memory that belongs to the device.
//
// There are two accuracies. What chains and training are made of (Worker, Averages) uses
// weights rounded to 32 bits: in fixed point if discrete units give, so that sums do not
// depend on their order, and in float32 if real ones do. What is reported (Inputs, Means,
// EffectiveEnergies, Energies) is as accurate as package rbm, to some 1e-13: fixed-point
// weights come in two parts there, the second one holding what the first rounds off.
//
// Neither the number of workers nor the way a batch is cut into blocks changes a bit.
package batch
