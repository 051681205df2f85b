// Package experiment holds what several figures of the paper share: models trained once into the folder of the results
// ([Train]), and chains followed on them.
//
//   - Bars and Stripes ([TrainBAS]): the image nearest to each draw, and passages between images.
//   - Handwritten digits ([TrainDigits]) and lattice proteins ([TrainProteins]): chains between classes ([RunClasses])
//     and how they decorrelate within one ([MeasureDecorrelation]).
//   - The Hopfield model ([RunHopfield]): chains between its Mattis states.
package experiment
