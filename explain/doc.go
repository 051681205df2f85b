// Package explain shows what the hidden units of a model have learnt, as a page of cards: one per unit, the most
// important first.
//
// A card has the weights of the unit, as a logo of letters, as an image or as bars, whatever the visible units are;
// the histogram of its inputs over data, by class, with the conditional mean of the unit on it; the configurations
// that drive it up and down; and its numbers. An overview lists all units, which of them are silent or duplicates,
// which class each tells best, and the correlations between their inputs.
//
//	units, err := interpret.NewUnits(m, data)
//	page := explain.Page{Model: m, Data: data, Units: units, Cards: 20}
//	err = page.Report("What the hidden units have learnt").Write(file)
package explain
