// Package figure holds the figures of the paper and the claims of its text, one per file.
//
// # How to add a figure
//
// Write one file, named after the figure, with a function that describes it and a function that runs it, and add the
// first to [All] where the paper has the figure; claims of the text have files that begin with text_:
//
//	func spinsFigure() verdict.Figure {
//		return verdict.Figure{
//			Name:    "fig-spins",                     // the paper's label
//			Title:   "Spins, and how they turn",      // heading in the report
//			Shows:   "A sentence on what is drawn.",
//			Version: 1,                               // raise it when the results change
//			Run:     runSpins,
//		}
//	}
//
//	func runSpins(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
//		sweeps := 100_000
//		if s.Quick {
//			sweeps = 5_000                            // some tens of seconds at most
//		}
//		…                                             // ctx ends on Ctrl-C: return its error
//		var r verdict.Result
//		r.Draw("", "The caption, in our own words.", spins) // "" for the figure's own name
//		table := r.Table("turns", "Turns of each spin.", "spin", "turns")
//		table.Add(1, 12.5)                            // full precision in turns.csv
//		table.Shown = true                            // also in the report
//		r.Values = numbers                            // data.json, any value
//		r.Claim(verdict.Claim{
//			Name: "turns", Where: "figure spins (a)", // the place in the paper
//			Statement: "Spins turn.",                 // what the paper says, in our own words
//			Criterion: "more than 3 turns, by two standard errors",
//			Measured:  []verdict.Measured{{Name: "turns", Value: 12.5, Error: 0.3}},
//			Verdict:   verdict.Judge(12.5-2*0.3 > 3), // or JudgeOr(…) with a Correction
//		})
//		return &r, nil
//	}
//
// Results depend on Quick and Seed of [verdict.Settings] alone, never on the number of workers or on what ran before.
// What takes long and can be resumed, or serves several figures, such as a trained model, belongs in package experiment
// and is kept in [verdict.Settings.Folder]; [verdict.Settings.Once] keeps two figures from making it at the same time.
// The panels, letters and axes are those of the paper; [plot.Diagram] draws what has no axes.
//
// Deterministic figures have golden images (testdata; go test ./paper/figure -run Golden -update makes them anew: look
// at each), claims of stochastic ones are tested in their quick form.
package figure
