package mixing

import (
	"fmt"
	"slices"

	"instanton/dataset"
	"instanton/latent"
	"instanton/rbm"
)

// maxPrototypes bounds the number of centres of unlabelled data, and so the number of directions.
const maxPrototypes = 32

// DataDirections returns the differences between hidden representations ⟨h|v⟩ of data: between the means of its
// classes if it has labels, otherwise between centres, of which there are twice as many as hidden units, but at most
// 32.
func DataDirections(m *rbm.RBM, d *dataset.Dataset, seed uint64) ([][]float64, error) {
	if d.States.Spec != m.Visible.Spec() {
		return nil, fmt.Errorf("%s holds %s: the model has visible units %s", d.Name, d.States.Spec, m.Visible.Spec())
	}
	if d.Labels != nil {
		if top := slices.Max(d.Labels); top >= MaxModes {
			return nil, fmt.Errorf("%s has the label %d: expected 0 to %d", d.Name, top, MaxModes-1)
		}
	}
	directions := latent.Differences(DataPrototypes(m, d, seed))
	if len(directions) == 0 {
		return nil, fmt.Errorf("the hidden representations of %s are all the same: expected data of different kinds",
			d.Name)
	}
	return directions, nil
}

// DataPrototypes returns hidden representations ⟨h|v⟩ that stand for the data: the means of its classes if it has
// labels, otherwise centres, of which there are twice as many as hidden units, but at most 32.
func DataPrototypes(m *rbm.RBM, d *dataset.Dataset, seed uint64) [][]float64 {
	if d.Labels != nil {
		return classMeans(Representations(m, d.States), d.Labels)
	}
	return Prototypes(m, d.States, min(2*m.Hidden.Spec().N, maxPrototypes), seed)
}

func classMeans(x [][]float64, labels []int) [][]float64 {
	classes := 0
	for _, l := range labels {
		classes = max(classes, l+1)
	}
	members := make([][][]float64, classes)
	for k, l := range labels {
		members[l] = append(members[l], x[k])
	}
	var means [][]float64
	for _, class := range members {
		if len(class) > 0 {
			means = append(means, meanOf(class))
		}
	}
	return means
}
