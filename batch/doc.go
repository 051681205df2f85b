// Package batch computes with a model on batches of configurations: inputs, means, draws, energies, and the averages
// that training needs.
//
// Package rbm does the mathematics of one configuration at a time, in float64. This package prepares a model once and
// then works on many configurations side by side, compactly stored as unit.States, on several workers.
//
// Start with New, which prepares a model on the processor. The methods of the engine work on whole batches: Inputs,
// Means, EffectiveEnergies, Energies. For sampling, take one Worker per goroutine and call its Draw or Sweep. For the
// sums of a gradient, make an Averages once and call its Take for every batch. When the parameters change, call Set.
//
// Engine is the interface of all this. Another device is another implementation: no method hands out memory that
// belongs to the device.
//
// There are two levels of accuracy. Chains and training (Worker.Draw, Worker.Sweep, Averages) use weights rounded to
// 32 bits: in fixed point if the layer that sends is discrete, so that sums do not depend on their order, and in
// float32 if it is real. What is reported (Inputs, Means, EffectiveEnergies, Energies) is as accurate as package rbm,
// to about 1e-13: there the fixed-point weights come in two parts, and the second holds what the first rounds off.
//
// Neither the number of workers nor the division of a batch into blocks changes a single bit.
package batch
