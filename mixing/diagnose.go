package mixing

import (
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"instanton/rbm"
	"instanton/unit"
)

// Verdict is the judgement in a few words.
type Verdict string

// The verdicts. Only Mixes is good news: the others say what keeps one from knowing.
const (
	Mixes    Verdict = "mixes"
	Stuck    Verdict = "stuck"         // chains stay in different modes
	OneMode  Verdict = "one mode seen" // no chain saw a second mode: it mixes there, or is stuck there
	TooShort Verdict = "too short"     // chains change mode, but not often enough to count on
)

// Number is a float64 that is null in JSON where it is unknown or infinite.
type Number float64

// MarshalJSON writes the number or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// Samples is what is judged.
type Samples struct {
	V             *unit.States // draw d of chain k is configuration k·Draws+d
	Chains, Draws int
	Model         *rbm.RBM // nil where there is none: no energies, no hidden units
	Sampler       string   // what made them, if known
}

// Quantity is a scalar that the chains were followed by.
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
}

// Mode is what the chains did in one mode.
type Mode struct {
	Name      string `json:"name"`
	Occupancy Number `json:"occupancy"`
	Error     Number `json:"error"`
	Residence Number `json:"residence"` // draws before it is left, null if it never was
	RunESS    Number `json:"run_ess"`   // p(1−p)/Var(run means): independent draws that one run is worth
}

// Diagnosis is the judgement and what it rests on.
type Diagnosis struct {
	Verdict     Verdict    `json:"verdict"`
	Reason      string     `json:"reason"`
	Chains      int        `json:"chains"`
	Draws       int        `json:"draws"`
	Quantities  []Quantity `json:"quantities"`
	Modes       []Mode     `json:"modes"`
	Transitions int        `json:"transitions"`
	Matrix      [][]Number `json:"transition_matrix"`
	RunESS      Number     `json:"run_ess"` // the smallest over modes seen
	Clusters    [][]int    `json:"hidden_clusters,omitempty"`
	Block       int        `json:"block,omitempty"` // D: hidden units that have to move together
	Advice      Advice     `json:"advice"`
	Notes       []string   `json:"notes,omitempty"`
}

// Limits of the verdict: R-hat above which chains disagree, and the effective sample size
// and the draws per chain below which nothing is known.
const (
	maxRHat  = 1.05
	minESS   = 100
	minDraws = 20
)

// Diagnose judges chains by their energy, their leading principal components and the modes.
func Diagnose(s Samples, modes Modes) (*Diagnosis, error) {
	if s.Chains < 1 || s.Draws < 1 || s.V.Len != s.Chains*s.Draws {
		return nil, fmt.Errorf("%d chains of %d draws do not make %d configurations", s.Chains, s.Draws, s.V.Len)
	}
	d := &Diagnosis{Chains: s.Chains, Draws: s.Draws}
	if s.Model != nil {
		energies := make([]float64, s.V.Len)
		s.Model.EffectiveEnergies(energies, s.V)
		d.follow("energy", chainsOf(energies, s.Chains))
	} else {
		d.Notes = append(d.Notes, "no model given: energies and hidden units were not looked at")
	}
	d.followComponents(s)
	o := Occupy(s.V, s.Chains, s.Draws, modes)
	d.followModes(o)
	d.judge(o)
	if s.Chains < 20 {
		d.Notes = append(d.Notes, fmt.Sprintf("run_ess rests on %d runs: expected at least 20 for a number to rely on", s.Chains))
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

// follow measures one quantity.
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
		q.Note = "constant: every chain has the same value throughout, and nothing is known"
	case shortest(x) < 4:
		q.Note = "too few draws for any statistic"
	case math.IsInf(float64(q.RHat), 1):
		q.Note = "every chain stands still at a value of its own: R-hat is infinite"
	case !enough:
		q.Note = "chains are shorter than 50τ: τ and what follows from it are lower bounds at best"
	}
	d.Quantities = append(d.Quantities, q)
}

// followComponents follows the leading principal components of the configurations.
func (d *Diagnosis) followComponents(s Samples) {
	p := newPrincipal(allFeatures(s.V, 1000), 2)
	x := make([]float64, s.V.Width())
	for k := range p.components {
		values := make([]float64, s.V.Len)
		for j := range values {
			features(x, s.V, j)
			values[j] = p.project(x, k)
		}
		d.follow(fmt.Sprintf("PC%d", k+1), chainsOf(values, s.Chains))
	}
}

func (d *Diagnosis) followModes(o *Occupancy) {
	least := math.Inf(1)
	for a, name := range o.Names {
		d.Modes = append(d.Modes, Mode{
			Name: name, Occupancy: Number(o.Share[a]), Error: Number(o.Error[a]),
			Residence: Number(o.Residence[a]), RunESS: Number(o.PerRun[a]),
		})
		if o.Share[a] > 0 {
			d.follow("mode "+name, o.Indicator(a))
			if o.Share[a] < 1 {
				least = min(least, o.PerRun[a])
			}
		}
	}
	d.RunESS = Number(least)
	d.Transitions = o.Transitions
	for _, row := range o.Matrix() {
		out := make([]Number, len(row))
		for b, p := range row {
			out[b] = Number(p)
		}
		d.Matrix = append(d.Matrix, out)
	}
}

// judge gives the verdict.
func (d *Diagnosis) judge(o *Occupancy) {
	seen := o.Seen()
	worst, which, size, small := 0.0, "", math.Inf(1), ""
	unsure := ""
	still := true
	for _, q := range d.Quantities {
		if q.RHat > Number(worst) {
			worst, which = float64(q.RHat), q.Name
		}
		if float64(q.BulkESS) < size {
			size, small = float64(q.BulkESS), q.Name
		}
		if !math.IsNaN(float64(q.Tau)) && !q.enough && unsure == "" {
			unsure = q.Name
		}
		if !math.IsNaN(float64(q.RHat)) && !math.IsInf(float64(q.RHat), 1) {
			still = false
		}
	}
	say := func(v Verdict, format string, args ...any) { d.Verdict, d.Reason = v, fmt.Sprintf(format, args...) }
	switch {
	case d.Draws < minDraws:
		say(TooShort, "%d draws a chain: expected at least %d", d.Draws, minDraws)
	case still:
		say(Stuck, "no chain ever moved: every quantity stands still in each chain")
	case seen == 0:
		say(TooShort, "no configuration lies deep in any mode: the modes do not fit the samples")
	case seen == 1 && worst > 1.5:
		say(Stuck, "chains stay in different places: R-hat of %s is %.3g, expected below %.3g", which, worst, maxRHat)
	case seen == 1 && worst > maxRHat:
		say(TooShort, "chains disagree: R-hat of %s is %.3g, expected below %.3g", which, worst, maxRHat)
	case seen == 1 && d.Chains == 1:
		say(OneMode, "the only chain saw one mode: start others in different modes")
	case seen == 1:
		say(OneMode, "all %d chains stayed in one mode: that the others exist, and how much they weigh, cannot be known from these samples", d.Chains)
	case o.Transitions == 0:
		say(Stuck, "%d modes were seen, but no chain went from one to another in %d draws", seen, d.Draws)
	case o.Islands() > 1:
		say(Stuck, "the %d modes seen fall into %d groups between which no chain ever went", seen, o.Islands())
	case worst > maxRHat && (o.Transitions < d.Chains || worst > 1.5):
		say(Stuck, "%d changes of mode in %d chains of %d draws; R-hat of %s is %.3g, expected below %.3g", o.Transitions, d.Chains, d.Draws, which, worst, maxRHat)
	case worst > maxRHat:
		say(TooShort, "chains change mode, but disagree: R-hat of %s is %.3g, expected below %.3g", which, worst, maxRHat)
	case size < minESS:
		say(TooShort, "the effective sample size of %s is %.3g: expected at least %d", small, size, minESS)
	case unsure != "" && o.Transitions < 10*d.Chains:
		say(TooShort, "chains are shorter than 50 autocorrelation times of %s", unsure)
	case d.Chains == 1:
		say(TooShort, "one chain went %d times between %d modes: whether it saw all of them, only others started elsewhere can tell", o.Transitions, seen)
	default:
		say(Mixes, "%d changes between %d modes; the largest R-hat is %.4g (%s), the smallest bulk ESS %.0f (%s)", o.Transitions, seen, worst, which, size, small)
	}
}
