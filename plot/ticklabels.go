package plot

import (
	"strings"

	"gonum.org/v1/plot/vg"
)

// tickLabels are the labels of a horizontal axis: a list of lines for every mark, or single lines
// that read upwards.
type tickLabels struct {
	lines  [][]setting
	turned bool
}

// labelsAlong sets the labels side by side if they fit, otherwise with one word per line, otherwise turned.
func labelsAlong(ms []mark, s scale, size vg.Length) tickLabels {
	whole, words := make([][]setting, len(ms)), make([][]setting, len(ms))
	for i, m := range ms {
		if m.label == "" {
			continue
		}
		whole[i] = []setting{typeset(m.label, tickSize*size, regular)}
		words[i] = whole[i]
		if parts := strings.Fields(m.label); len(parts) > 1 && !strings.Contains(m.label, "$") {
			words[i] = nil
			for _, p := range parts {
				words[i] = append(words[i], typeset(p, tickSize*size, regular))
			}
		}
	}
	switch {
	case !crowded(ms, whole, s, size):
		return tickLabels{lines: whole}
	case !crowded(ms, words, s, size):
		return tickLabels{lines: words}
	}
	return tickLabels{lines: whole, turned: true}
}

// crowded tells whether labels set side by side would run into each other.
func crowded(ms []mark, lines [][]setting, s scale, size vg.Length) bool {
	end := vg.Length(-1e9)
	for i, m := range ms {
		if len(lines[i]) == 0 {
			continue
		}
		half := width(lines[i]) / 2
		if s.at(m.value)-half < end+0.5*size {
			return true
		}
		end = s.at(m.value) + half
	}
	return false
}

func width(lines []setting) (w vg.Length) {
	for _, l := range lines {
		w = max(w, l.width)
	}
	return w
}

// height is the height of the labels below the frame.
func (t tickLabels) height() (h vg.Length) {
	for _, lines := range t.lines {
		if t.turned {
			h = max(h, width(lines))
			continue
		}
		var sum vg.Length
		for _, l := range lines {
			sum += l.height()
		}
		h = max(h, sum)
	}
	return h
}

// draw draws the label of mark i with its top at the point.
func (t tickLabels) draw(s surface, i int, at vg.Point) {
	for _, l := range t.lines[i] {
		if t.turned {
			drawText(s, l, at, anchor{across: 1, up: 0.5, turned: true}, ink)
			continue
		}
		drawText(s, l, at, topCentre, ink)
		at.Y -= l.height()
	}
}
