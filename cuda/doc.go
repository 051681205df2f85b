// Package cuda is the batch engine on NVIDIA GPUs. The same seed gives the same bits as on the processor: draws and
// sweeps of all types of units, averages and trainings.
//
// Open prepares a GPU, and its Device goes where kernels and trainings take one: sampler.NewGibbsOn, train.Options,
// evaluate.AISOptions. Nothing has to be installed but the driver and NVRTC, NVIDIA's compiler; both are loaded when
// Open is called. A program without a GPU gets an error that says what is missing, and can use the processor instead.
//
// # How the bits come out the same
//
// One factor of every product is a configuration. Weights are rounded to 32-bit fixed point as on the processor, and a
// weight is written with four digits to the base 255, each in a signed byte. A bit that is set stands for the byte 1 in
// products with the first and third digit, and for the byte 255 in those with the second and fourth. Tensor cores
// multiply bytes and add 32-bit integers without rounding, so two sums of integers give the very field that the
// processor computes, whatever the order. Random words are a function of their number (Philox), and draws round after
// every operation, as the processor does. Sums of a training that are not exact have a fixed order, which the kernels
// keep; products of real units are fused multiply-adds in the order of the units.
//
// # What happens where
//
// A launch makes many sweeps: blocks of threads work on tiles of chains and units, and a block of chains goes on as
// soon as all its tiles of the half-sweep before are done. A training by PCD of units with two states stays on the GPU
// altogether, and its updates are one recording of kernels; its checkpoints are those of the processor. Other trainings
// take the steps on the processor. What is reported to the user (inputs, means, energies, likelihoods) is computed by
// the processor in float64; only the energies that belong to recorded draws come from the GPU.
package cuda
