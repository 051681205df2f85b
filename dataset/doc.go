// Package dataset makes, reads and writes sets of configurations to train and test models on.
//
// A [Dataset] is a batch of states with what is known about them: labels, weights, names, the letters of Potts units,
// the shape of images, and where everything came from. It is made ([BarsAndStripes], [CurieWeiss], [MNIST]) or read:
//
//	d, err := dataset.Read("family.fasta") // or a table, .npy, .npz; text may be gzipped
//	d = d.Unique()                         // without repeated configurations
//	d.Weights, err = dataset.IdentityWeights(d.States, 0.8, 0)
//	err = d.Save("family.npz", false)      // with labels, weights and provenance
//
// [Read] recognises the format and, if the file does not name the unit type, infers it from the values: ±1 are spins,
// 0 and 1 Bernoulli units, letters and other small nonnegative integers Potts units, and anything else Gaussian units.
// [ReadUnits] and [ReadAs] require the units of a given model. docs/formats.md describes the formats; nothing in a
// file is trusted.
//
// [Dataset.Summary] describes a set: classes, duplicates, the effective number of weighted samples, the information in
// each column.
package dataset
