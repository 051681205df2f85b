package evaluate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/internal/parallel"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Agreement says how closely the moments of the model follow those of the data: their correlation, and the slope and
// root-mean-square deviation of model against data.
type Agreement struct {
	Correlation float64 `json:"correlation"`
	Slope       float64 `json:"slope"`
	RMS         float64 `json:"rms"`
	Count       int     `json:"count"`
	// Constant marks moments that are all equal in the data or in the model: there is nothing to correlate, and slope
	// and correlation are zero.
	Constant bool `json:"constant,omitempty"`
}

// MomentReport compares first and second moments of data and model. ⟨vv⟩ is over pairs of different units; in ⟨h⟩ and
// ⟨vh⟩, h stands for ⟨h|v⟩.
type MomentReport struct {
	V  Agreement `json:"v"`
	VV Agreement `json:"vv"`
	H  Agreement `json:"h"`
	VH Agreement `json:"vh"`
	// The connected correlations ⟨vv⟩ − ⟨v⟩⟨v⟩ and ⟨vh⟩ − ⟨v⟩⟨h⟩ leave out what the means alone explain.
	ConnectedVV Agreement `json:"vv_connected"`
	ConnectedVH Agreement `json:"vh_connected"`
	// Method says where the model's moments come from: exact, or samples.
	Method string `json:"method"`

	// Pairs are the numbers behind the report, by their keys in JSON: those of the data, then those of the model.
	Pairs map[string][2][]float64 `json:"-"`
}

// CompareMoments compares data, weighted if weights is non-nil, with a model: with samples of it if samples is
// non-nil, otherwise with its exact moments, for which one layer must be small enough to be enumerated.
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
	cx, cy := connected(seen, n, q), connected(own, n, q)
	r.Pairs = map[string][2][]float64{
		"v": {seen.V, own.V}, "h": {seen.H, own.H}, "vh": {seen.VH, own.VH}, "vv": {x, y},
		"vv_connected": {cx, cy}, "vh_connected": {connectedVH(seen), connectedVH(own)},
	}
	for key, to := range map[string]*Agreement{"v": &r.V, "h": &r.H, "vh": &r.VH, "vv": &r.VV,
		"vv_connected": &r.ConnectedVV, "vh_connected": &r.ConnectedVH} {
		*to = agree(r.Pairs[key][0], r.Pairs[key][1])
	}
	return r, nil
}

// connected lists ⟨vv⟩ − ⟨v⟩⟨v⟩ over pairs of channels of different units.
func connected(m *rbm.Moments, n, q int) (c []float64) {
	for i := range n {
		for j := i/q*q + q; j < n; j++ {
			c = append(c, m.VV[i*n+j]-m.V[i]*m.V[j])
		}
	}
	return c
}

// connectedVH lists ⟨vh⟩ − ⟨v⟩⟨h⟩.
func connectedVH(m *rbm.Moments) []float64 {
	c := make([]float64, len(m.VH))
	for k := range c {
		c[k] = m.VH[k] - m.V[k/len(m.H)]*m.H[k%len(m.H)]
	}
	return c
}

// maxMoments bounds the memory for ⟨vv⟩ and ⟨vh⟩.
const maxMoments = 1 << 27

// momentRows is the number of configurations that are averaged over together.
const momentRows = 256

// SampleMoments averages over configurations, weighted if weights is non-nil, with ⟨h|v⟩ for the hidden units. All
// sums are in float64: batch.Averages would be faster, but moments that are constant must be so to the last digits.
func SampleMoments(m *rbm.RBM, data *unit.States, weights []float64) (*rbm.Moments, error) {
	if data.Spec != m.Visible.Spec() {
		return nil, fmt.Errorf("data of %s: the model has visible units %s", data.Spec, m.Visible.Spec())
	}
	nv, nh := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	if float64(nv)*float64(nv+nh) > maxMoments {
		return nil, fmt.Errorf("second moments of %s with %s are %d numbers: expected at most %d", m.Visible.Spec(),
			m.Hidden.Spec(), nv*(nv+nh), maxMoments)
	}
	engine, err := batch.New(m, 0)
	if err != nil {
		return nil, err
	}
	out := &rbm.Moments{V: make([]float64, nv), H: make([]float64, nh), VV: make([]float64, nv*nv),
		VH: make([]float64, nv*nh)}
	total := float64(data.Len)
	if weights != nil {
		total = vec.Sum(weights)
	}
	rows := min(momentRows, data.Len)
	v, h, x := make([]float64, rows*nv), make([]float64, rows*nh), make([]float64, data.N)
	scaled := make([]float64, rows) // w_k/Σw
	for _, block := range parallel.Blocks(data.Len, momentRows) {
		n := block.Len()
		engine.Means(h[:n*nh], batch.Hidden, data.Slice(block.Lo, block.Hi))
		clear(v)
		for k := range n {
			scaled[k] = 1 / total
			if weights != nil {
				scaled[k] *= weights[block.Lo+k]
			}
			data.Values(x, block.Lo+k)
			for i, xi := range x {
				c, y := data.Channel(i, xi)
				v[k*nv+c] = y
			}
			vec.AddScaled(out.V, scaled[k], v[k*nv:][:nv])
			vec.AddScaled(out.H, scaled[k], h[k*nh:][:nh])
		}
		parallel.For(0, nv, func(_, c int) {
			for k, w := range scaled[:n] {
				if y := v[k*nv+c]; y != 0 {
					vec.AddScaled(out.VV[c*nv:][:nv], w*y, v[k*nv:][:nv])
					vec.AddScaled(out.VH[c*nh:][:nh], w*y, h[k*nh:][:nh])
				}
			}
		})
	}
	return out, nil
}

// agree fits y = slope·x + c and correlates the two; if either is constant up to rounding, it says so instead.
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

// constant reports whether numbers are equal up to rounding.
func constant(x []float64) bool {
	mean, variance := stat.PopMeanVariance(x, nil)
	return variance <= 1e-24*(1+mean*mean)
}
