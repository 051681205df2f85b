// Package plot draws figures for statistical physics papers as PNG, SVG and PDF.
//
// A [Figure] is a grid of [Panel] values, a panel holds [Series] values on two axes, or a sheet of
// small images. The defaults are those of a two-column journal: 8.6 cm or 17.8 cm wide, type of
// 8.5 pt, boxed axes with inward ticks, the letters (a), (b), … over the panels, and the palette of
// Okabe and Ito, which readers with any kind of colour vision can tell apart.
//
// # Text
//
// Every letter is drawn as its outline, so that a figure looks the same on every machine: no file
// names a font. Text between dollar signs is set as mathematics: single letters and lower-case
// Greek lean, words of two letters and more and capital Greek stand upright, a hyphen becomes a
// minus sign, and _ and ^ set the next letter or {group} below or above the line, as in
//
//	"free energy $f_{eq}(m^2)$", "$Φ_T / N$", "$10^{-3}$"
//
// Greek letters are written as themselves. A lone dollar sign is a dollar sign.
//
// # Determinism
//
// The same figure gives the same bytes: no date, no random identifier, no map order goes into a file.
package plot
