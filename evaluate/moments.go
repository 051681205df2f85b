package evaluate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Agreement says how the model's moments follow those of the data: the correlation, and
// the slope and root-mean-square distance of model against data.
type Agreement struct {
	Correlation float64 `json:"correlation"`
	Slope       float64 `json:"slope"`
	RMS         float64 `json:"rms"`
	Count       int     `json:"count"`
	// Constant marks moments that are all alike in the data or the model: there is nothing
	// to correlate, and slope and correlation are zero.
	Constant bool `json:"constant,omitempty"`
}

// MomentReport compares first and second moments of data and model. ⟨vv⟩ are those of
// different units; ⟨h⟩ and ⟨vh⟩ take ⟨h|v⟩ for h.
type MomentReport struct {
	V  Agreement `json:"v"`
	VV Agreement `json:"vv"`
	H  Agreement `json:"h"`
	VH Agreement `json:"vh"`
	// Method says where the model's moments come from: exact, or samples.
	Method string `json:"method"`
}

// CompareMoments compares data, weighted if weights is non-nil, with the model: with samples of it if there are any,
// otherwise with its exact moments, for which a layer must be small enough to be enumerated.
func CompareMoments(m *rbm.RBM, data *unit.States, weights []float64, samples *unit.States) (*MomentReport, error) {
	seen, err := SampleMoments(m, data, weights)
	if err != nil {
		return nil, err
	}
	r := &MomentReport{Method: "exact"}
	var own *rbm.Moments
	if samples != nil {
		r.Method = "samples"
		own, err = SampleMoments(m, samples, nil)
	} else {
		own, err = rbm.ExactMoments(m)
	}
	if err != nil {
		return nil, err
	}
	n, q := m.Visible.Spec().Width(), m.Visible.Spec().Channels()
	var x, y []float64
	for i := range n {
		for j := i/q*q + q; j < n; j++ {
			x, y = append(x, seen.VV[i*n+j]), append(y, own.VV[i*n+j])
		}
	}
	r.V, r.H, r.VH, r.VV = agree(seen.V, own.V), agree(seen.H, own.H), agree(seen.VH, own.VH), agree(x, y)
	return r, nil
}

// maxMoments bounds the memory for ⟨vv⟩ and ⟨vh⟩.
const maxMoments = 1 << 27

// momentRows is the number of configurations whose hidden means are computed together.
const momentRows = 1024

// SampleMoments averages over configurations, by weights unless those are nil, with ⟨h|v⟩ for
// the hidden units.
func SampleMoments(m *rbm.RBM, data *unit.States, weights []float64) (*rbm.Moments, error) {
	if data.Spec != m.Visible.Spec() {
		return nil, fmt.Errorf("data of %s: the model has visible units %s", data.Spec, m.Visible.Spec())
	}
	nv, nh := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	if float64(nv)*float64(nv+nh) > maxMoments {
		return nil, fmt.Errorf("second moments of %s with %s are %d numbers: expected at most %d", m.Visible.Spec(),
			m.Hidden.Spec(), nv*(nv+nh), maxMoments)
	}
	out := &rbm.Moments{V: make([]float64, nv), H: make([]float64, nh), VV: make([]float64, nv*nv),
		VH: make([]float64, nv*nh)}
	spec := m.Visible.Spec()
	engine, err := batch.New(m, 0)
	if err != nil {
		return nil, err
	}
	x, means, seen := make([]float64, spec.N), make([]float64, min(momentRows, data.Len)*nh), make([]float64, nv)
	total := float64(data.Len)
	if weights != nil {
		total = vec.Sum(weights)
	}
	for k := range data.Len {
		w := 1 / total
		if weights != nil {
			w *= weights[k]
		}
		if k%momentRows == 0 {
			engine.Means(means, batch.Hidden, data.Slice(k, min(k+momentRows, data.Len)))
		}
		mean := means[k%momentRows*nh:][:nh]
		data.Values(x, k)
		if spec.Type == unit.Potts {
			clear(seen)
			for i, a := range x {
				seen[i*spec.Q+int(a)] = 1
			}
		} else {
			copy(seen, x)
		}
		vec.AddScaled(out.V, w, seen)
		vec.AddScaled(out.H, w, mean)
		for i, s := range seen {
			if s != 0 {
				vec.AddScaled(out.VV[i*nv:(i+1)*nv], w*s, seen)
				vec.AddScaled(out.VH[i*nh:(i+1)*nh], w*s, mean)
			}
		}
	}
	return out, nil
}

// agree fits y = slope·x + c and correlates, unless x or y are constant up to rounding.
func agree(x, y []float64) Agreement {
	a := Agreement{Count: len(x)}
	if len(x) == 0 {
		return a
	}
	a.RMS = vec.Distance(x, y) / math.Sqrt(float64(len(x)))
	if constant(x) || constant(y) {
		a.Constant = true
		return a
	}
	_, a.Slope = stat.LinearRegression(x, y, nil, false)
	a.Correlation = stat.Correlation(x, y, nil)
	return a
}

// constant tells whether numbers differ by no more than rounding.
func constant(x []float64) bool {
	mean, variance := stat.PopMeanVariance(x, nil)
	return variance <= 1e-24*(1+mean*mean)
}
