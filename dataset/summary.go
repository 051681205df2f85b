package dataset

import (
	"maps"
	"math"
	"slices"
	"strings"

	"instanton/unit"
)

// Summary describes a data set in numbers.
type Summary struct {
	Name       string            `json:"name"`
	Visible    unit.Spec         `json:"visible"`
	Samples    int               `json:"samples"`
	Distinct   int               `json:"distinct"`
	Duplicates int               `json:"duplicates"` // samples that repeat an earlier one
	Alphabet   string            `json:"alphabet,omitempty"`
	Shape      []int             `json:"shape,omitempty"`
	Classes    []Class           `json:"classes,omitempty"`
	Weights    *WeightSummary    `json:"weights,omitempty"`
	Discrete   *DiscreteSummary  `json:"discrete,omitempty"`
	Real       *RealSummary      `json:"real,omitempty"`
	Info       map[string]string `json:"info,omitempty"`
	Sources    []Source          `json:"sources,omitempty"`
}

// Class is a label and its number of samples.
type Class struct {
	Label int    `json:"label"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// WeightSummary describes the weights; their sum is the effective number of samples.
type WeightSummary struct {
	Sum float64 `json:"sum"`
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// DiscreteSummary describes the states of discrete units, weighted if there are weights.
type DiscreteSummary struct {
	Frequencies   []float64   `json:"frequencies"`    // of the states, over all units
	Entropy       float64     `json:"entropy_bits"`   // per unit, averaged over all units
	ConstantUnits int         `json:"constant_units"` // units that take only one state
	Marginals     [][]float64 `json:"marginals"`      // unit by state
}

// RealSummary describes real units.
type RealSummary struct {
	Min  float64   `json:"min"`
	Max  float64   `json:"max"`
	Mean []float64 `json:"mean"` // of each unit
	SD   []float64 `json:"sd"`
}

// Summary computes the summary of the whole set.
func (d *Dataset) Summary() *Summary {
	distinct := len(Distinct(d.States))
	s := &Summary{
		Name: d.Name, Visible: d.States.Spec, Samples: d.States.Len, Distinct: distinct,
		Duplicates: d.States.Len - distinct,
		Alphabet:   d.Alphabet, Shape: d.Shape, Classes: d.Classes(), Info: d.Info, Sources: d.Sources,
	}
	if len(d.Weights) > 0 {
		w := &WeightSummary{Min: math.Inf(1), Max: math.Inf(-1)}
		for _, x := range d.Weights {
			w.Sum, w.Min, w.Max = w.Sum+x, min(w.Min, x), max(w.Max, x)
		}
		s.Weights = w
	}
	if d.States.Type.Discrete() {
		s.Discrete = d.discrete()
	} else {
		s.Real = d.real()
	}
	return s
}

// Classes counts the samples of each label that occurs.
func (d *Dataset) Classes() []Class {
	counts := map[int]int{}
	for _, l := range d.Labels {
		counts[l]++
	}
	var classes []Class
	for _, l := range slices.Sorted(maps.Keys(counts)) {
		classes = append(classes, Class{l, d.LabelName(l), counts[l]})
	}
	return classes
}

func (d *Dataset) discrete() *DiscreteSummary {
	s := &DiscreteSummary{Frequencies: make([]float64, d.States.Spec.States()), Marginals: d.Marginals()}
	n := float64(d.States.N)
	for _, p := range s.Marginals {
		states := 0
		for a, x := range p {
			s.Frequencies[a] += x / n
			if x > 1e-12 { // rounding of the weights
				states++
			}
		}
		if states == 1 {
			s.ConstantUnits++
		}
		s.Entropy += Entropy(p) / n
	}
	return s
}

func (d *Dataset) real() *RealSummary {
	s := &RealSummary{Min: math.Inf(1), Max: math.Inf(-1), Mean: make([]float64, d.States.N),
		SD: make([]float64, d.States.N)}
	n := float64(d.States.Len)
	for k := range d.States.Len {
		for i, x := range d.States.RealRow(k) {
			s.Min, s.Max = min(s.Min, float64(x)), max(s.Max, float64(x))
			s.Mean[i] += float64(x) / n
		}
	}
	for k := range d.States.Len {
		for i, x := range d.States.RealRow(k) {
			s.SD[i] += (float64(x) - s.Mean[i]) * (float64(x) - s.Mean[i]) / n
		}
	}
	for i, v := range s.SD {
		s.SD[i] = math.Sqrt(v)
	}
	return s
}

// GapShare is the fraction of gaps among the letters; ok is false if the alphabet has none.
func (s *Summary) GapShare() (share float64, ok bool) {
	a := strings.IndexByte(s.Alphabet, gap)
	if a < 0 || s.Discrete == nil {
		return 0, false
	}
	return s.Discrete.Frequencies[a], true
}
