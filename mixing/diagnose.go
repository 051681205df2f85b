package mixing

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/internal/special"
	"instanton/pca"
	"instanton/rbm"
	"instanton/unit"
)

// Number is a float64 that becomes null in JSON if it is unknown or infinite.
type Number float64

// MarshalJSON writes the number or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if !special.Finite(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// Samples are the chains to be judged.
type Samples struct {
	V             *unit.States // draw d of chain k is configuration k·Draws+d
	Chains, Draws int
	Model         *rbm.RBM // nil if unknown: no energies, no hidden units
	Sampler       string   // name of the kernel, if known

	// Start holds the configurations that the chains started from, repeated if there are fewer of them than chains;
	// nil if unknown.
	Start *unit.States
	Noise bool // they started from noise that was not kept
}

// Quantity is a scalar followed along the chains.
type Quantity struct {
	Name    string `json:"name"`
	Mean    Number `json:"mean"`
	MCSE    Number `json:"mcse"`
	RHat    Number `json:"rhat"`
	BulkESS Number `json:"ess_bulk"`
	TailESS Number `json:"ess_tail"`
	Tau     Number `json:"tau"`
	Note    string `json:"note,omitempty"`

	enough bool
	worst  bool    // of all units: that it differs may be chance
	p      float64 // the probability of that, for one unit
}

// Mode describes what the chains did in one mode.
type Mode struct {
	Name      string `json:"name"`
	Occupancy Number `json:"occupancy"`
	Error     Number `json:"error"`
	Residence Number `json:"residence"` // draws before it is left; null if it never was
	RunESS    Number `json:"run_ess"`   // independent draws that one run is worth: p(1−p)/Var(run means)
}

// Diagnosis is the verdict and what it is based on.
type Diagnosis struct {
	Verdict     Verdict    `json:"verdict"`
	Reason      string     `json:"reason"`
	Chains      int        `json:"chains"`
	Draws       int        `json:"draws"`
	Quantities  []Quantity `json:"quantities"`
	Modes       []Mode     `json:"modes"`
	Transitions int        `json:"transitions"`
	Matrix      [][]Number `json:"transition_matrix"`
	RunESS      Number     `json:"run_ess"`                     // the smallest over the modes seen
	Covariance  [][]Number `json:"hidden_covariance,omitempty"` // of ⟨h|v⟩ over samples
	Clusters    [][]int    `json:"hidden_clusters,omitempty"`
	Block       int        `json:"block,omitempty"` // D: hidden units that have to move together
	Visible     *Units     `json:"visible,omitempty"`
	Hidden      *Units     `json:"hidden,omitempty"`
	Compared    int        `json:"units_compared"` // channels of units that the chains were compared by
	Advice      Advice     `json:"advice"`
	Notes       []string   `json:"notes,omitempty"`

	persistent *persistence
}

// MaxDraws bounds the number of draws that are judged, which take some hundred bytes each.
const MaxDraws = 20_000_000

// Diagnose judges chains by their energy, their leading principal components, their overlaps
// with patterns, every unit of both layers, the modes, and whatever else makes a chain's end
// resemble its own beginning more than another chain's.
func Diagnose(s Samples, modes Modes) (*Diagnosis, error) {
	if s.Chains < 1 || s.Draws < 1 || s.V.Len != s.Chains*s.Draws {
		return nil, fmt.Errorf("%d chains of %d draws do not make %d configurations", s.Chains, s.Draws, s.V.Len)
	}
	if s.V.Len > MaxDraws {
		return nil, fmt.Errorf("%d draws in all: expected at most %d; keep fewer, say every tenth", s.V.Len,
			MaxDraws)
	}
	d := &Diagnosis{Chains: s.Chains, Draws: s.Draws}
	e := &ensemble{}
	if s.Model != nil {
		e.energies = make([]float64, s.V.Len)
		prepare(s.Model).EffectiveEnergies(e.energies, batch.Visible, s.V)
		d.follow("energy", chainsOf(e.energies, s.Chains))
	} else {
		d.Notes = append(d.Notes, "no model given: energies and hidden units were not examined")
	}
	if err := d.followComponents(s, e); err != nil {
		return nil, err
	}
	d.followOverlaps(s, modes)
	d.followUnits(s)
	o := Occupy(s.V, s.Chains, s.Draws, modes)
	d.followModes(o)
	d.judge(s, o, e)
	d.describe(o)
	if s.Chains < 20 && len(d.Modes) > 1 {
		d.Notes = append(d.Notes, fmt.Sprintf("the effective sample size of a run rests on %s: at least 20 "+
			"are needed for a reliable number", count(s.Chains, "run")))
	}
	d.advise(s, o)
	return d, nil
}

func chainsOf(x []float64, chains int) [][]float64 {
	n := len(x) / chains
	out := make([][]float64, chains)
	for c := range out {
		out[c] = x[c*n : (c+1)*n]
	}
	return out
}

// follow computes the statistics of one quantity.
func (d *Diagnosis) follow(name string, x [][]float64) {
	var all []float64
	for _, c := range x {
		all = append(all, c...)
	}
	tau, enough := Tau(x)
	q := Quantity{
		Name: name, Mean: Number(stat.Mean(all, nil)), RHat: Number(RHat(x)), Tau: Number(tau), enough: enough,
		BulkESS: Number(BulkESS(x)), TailESS: Number(TailESS(x)), MCSE: Number(MCSE(x)),
	}
	switch {
	case constant(x):
		q.Note = "constant: every chain has the same value throughout, which says nothing"
	case shortest(x) < 4:
		q.Note = "too few draws for any statistic"
	case math.IsInf(float64(q.RHat), 1):
		q.Note = "every chain is constant at a value of its own: R-hat is infinite"
	case !enough:
		q.Note = "chains are shorter than 50τ: τ and what follows from it are lower bounds at best"
	}
	d.Quantities = append(d.Quantities, q)
	if ok, groups := persists(x, longVariance(x)); ok && (d.persistent == nil || float64(q.RHat) > d.persistent.rhat) {
		d.persistent = &persistence{name, float64(q.RHat), groups}
	}
}

// followComponents follows the leading principal components of the configurations.
func (d *Diagnosis) followComponents(s Samples, e *ensemble) (err error) {
	if e.components, err = pca.Fit(pick(s.V, thin(s.V.Len, thinned)), nil, 2); err != nil {
		return err
	}
	if e.coordinates, err = e.components.Projections(s.V); err != nil {
		return err
	}
	for k := range e.components.Components {
		values := make([]float64, s.V.Len)
		for j := range values {
			values[j] = e.coordinates[j][k]
		}
		d.follow(fmt.Sprintf("PC%d", k+1), chainsOf(values, s.Chains))
	}
	return nil
}

// followOverlaps follows the overlaps with the patterns, if the modes have any.
func (d *Diagnosis) followOverlaps(s Samples, modes Modes) {
	m, ok := modes.(followed)
	if !ok {
		return
	}
	for which, name := range m.Overlaps() {
		values := make([]float64, s.V.Len)
		for j := range values {
			values[j] = m.Overlap(s.V, j, which)
		}
		d.follow(name, chainsOf(values, s.Chains))
	}
}

func (d *Diagnosis) followModes(o *Occupancy) {
	least := math.Inf(1)
	for a, name := range o.Names {
		d.Modes = append(d.Modes, Mode{
			Name: name, Occupancy: Number(o.Share[a]), Error: Number(o.Error[a]),
			Residence: Number(o.Residence[a]), RunESS: Number(o.PerRun[a]),
		})
		if o.Share[a] > 0 && o.Share[a] < 1 {
			d.follow("mode "+name, o.Indicator(a))
			least = min(least, o.PerRun[a])
		}
	}
	d.RunESS = Number(least)
	d.Transitions = o.Transitions
	d.Matrix = numbers(o.Matrix())
}

// numbers converts a matrix.
func numbers(x [][]float64) [][]Number {
	out := make([][]Number, len(x))
	for a, row := range x {
		out[a] = make([]Number, len(row))
		for b, v := range row {
			out[a][b] = Number(v)
		}
	}
	return out
}

// describe adds notes that a reader of the occupancies needs.
func (d *Diagnosis) describe(o *Occupancy) {
	note := func(format string, args ...any) { d.Notes = append(d.Notes, fmt.Sprintf(format, args...)) }
	switch {
	case o.Merged > 0:
		note("%.0f %% of the draws are deep in none of the %d modes, which therefore count as one", 100*o.Between,
			o.Merged)
	case o.Between > 0.5:
		note("%.0f %% of the draws are deep in no mode and are assigned to the one their chain was last deep in",
			100*o.Between)
	}
	var left []string
	for a, name := range o.Names {
		if o.Abandoned(a) {
			left = append(left, name)
		}
	}
	if left != nil {
		note("chains started in %s but left for good; these are not counted as modes seen",
			strings.Join(left, ", "))
	}
	if o.Outside > 0 {
		note("%d of %d chains were never deep in any mode: the occupancies are those of the others", o.Outside,
			d.Chains)
	}
}
