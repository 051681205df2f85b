package run

import (
	"bytes"
	"testing"
)

// Curves of a training that stands still, with gradients of zero, can be drawn.
func TestCurvesOfAStandstill(t *testing.T) {
	reports := []Report{{Epoch: 1, LearningRate: 0.1}, {Epoch: 2, LearningRate: 0.1}}
	if err := Curves(reports).Encode(&bytes.Buffer{}, "png"); err != nil {
		t.Error(err)
	}
}
