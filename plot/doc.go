// Package plot draws figures for papers in statistical physics as PNG, SVG and PDF.
//
// A [Figure] is a grid of [Panel] values. A panel holds [Series] values on two axes, such as a [Line] or a [Heatmap];
// or it holds a sheet of small images ([ImageSheet]); or a [Diagram] of shapes:
//
//	figure := plot.Figure{Panels: []plot.Panel{{
//		X:      plot.Axis{Label: "size $N$", Log: true},
//		Y:      plot.Axis{Label: "rate", Log: true},
//		Series: []plot.Series{plot.Points{Name: "measured", X: n, Y: rate, YErr: e}},
//	}}}
//	err := figure.Save("rates.pdf")
//
// Limits, ticks, colours, markers and the place of the legend are chosen automatically unless they are given. The
// defaults are those of a two-column journal: 8.6 cm or 17.8 cm wide, type of 8.5 pt, boxed axes with inward ticks, the
// letters (a), (b), … above the panels, and the palette of Okabe and Ito, which readers with any kind of colour vision
// can tell apart. Errors name the panel and the series that are wrong.
//
// # Text
//
// Every letter is drawn as its outline, so that a figure looks the same on every machine and refers to no fonts. Text
// between dollar signs is set as mathematics: single letters and lower-case Greek are italic, words of two or more
// letters and capital Greek are upright, a hyphen becomes a minus sign, and _ and ^ set the next letter or {group} as a
// subscript or superscript, as in
//
//	"free energy $f_{eq}(m^2)$", "$Φ_T / N$", "$10^{-3}$"
//
// Greek letters are written as themselves. A lone dollar sign is a dollar sign.
//
// # Determinism
//
// The same figure gives the same bytes: files contain no date, no random identifier, and nothing in random order.
package plot
