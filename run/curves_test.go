package run

import (
	"bytes"
	"testing"
)

// Curves can be drawn even if the training does not move and all gradients are zero.
func TestCurvesOfAStandstill(t *testing.T) {
	reports := []Report{{Epoch: 1, LearningRate: 0.1}, {Epoch: 2, LearningRate: 0.1}}
	if err := Curves(reports).Encode(&bytes.Buffer{}, "png"); err != nil {
		t.Error(err)
	}
}
