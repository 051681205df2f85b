package demo

import (
	"context"
	"fmt"

	"instanton/internal/kernels"
	"instanton/internal/variants"
	"instanton/mixing"
	"instanton/pilot"
	"instanton/plot"
	"instanton/rbm"
	"instanton/report"
	"instanton/sampler"
)

// The model at the end: six patterns of 128 spins and their opposites, all equally likely, in hidden units that point
// nowhere in particular.
const (
	rotatedSpins    = 128
	rotatedPatterns = 6
	rotatedWeight   = 1.5
)

// Crossing is what chains of one sampler did in this model.
type Crossing struct {
	Sampler   string            `json:"sampler"`
	Why       string            `json:"why,omitempty"` // it was chosen
	Chains    int               `json:"chains"`
	Sweeps    int               `json:"sweeps"`
	Diagnosis *mixing.Diagnosis `json:"diagnosis"`

	path   [][]int // state by chain and sweep
	states []string
}

// cross samples the rotated Hopfield model by the paper's samplers and by the one that a pilot chooses.
func (t *Result) cross(ctx context.Context, o Options) error {
	patterns, err := rbm.OrthogonalPatterns(rotatedSpins, rotatedPatterns)
	if err != nil {
		return err
	}
	m, err := rbm.Hopfield(patterns, rotatedWeight)
	if err != nil {
		return err
	}
	if err := m.Rotate(rbm.RandomRotation(rotatedPatterns, o.Seed)); err != nil {
		return err
	}
	for _, s := range []Crossing{{Sampler: "gibbs", Sweeps: 1000}, {Sampler: "latent:2", Sweeps: 200}} {
		k, _, err := variants.New(s.Sampler, m, 1, kernels.Options{})
		if err != nil {
			return err
		}
		if err := t.follow(ctx, o, k, s); err != nil {
			return err
		}
	}
	choice, err := pilot.Choose(ctx, m, 1, pilot.Options{Seed: o.Seed, Workers: o.Workers})
	if err != nil {
		return err
	}
	return t.follow(ctx, o, choice.Kernel, Crossing{Sampler: choice.Sampler, Why: choice.Why, Sweeps: 1000})
}

// follow runs chains from all states and judges them.
func (t *Result) follow(ctx context.Context, o Options, k sampler.Kernel, s Crossing) error {
	m := k.Model()
	c := sampler.NewChains(m, chains, o.Seed)
	start := m.PatternsAndOpposites()
	if err := c.Begin(start); err != nil {
		return err
	}
	record := sampler.NewRecord(k, c, sampler.Plan{Every: 1, Draws: s.Sweeps}, false)
	if err := sampler.NewPool(k, o.Workers).Record(ctx, c, record, nil); err != nil {
		return err
	}
	modes, err := mixing.Patterns(m)
	if err != nil {
		return err
	}
	s.Chains, s.states = chains, modes.Names()
	s.path = mixing.Occupy(record.V, chains, s.Sweeps, modes).Path
	s.Diagnosis, err = mixing.Diagnose(mixing.Samples{V: record.V, Chains: chains, Draws: s.Sweeps, Model: m,
		Sampler: sampler.Name(k), Start: start}, modes)
	t.Rotated = append(t.Rotated, s)
	return err
}

func (s Crossing) title() string {
	switch {
	case s.Why != "":
		return "chosen: " + s.Sampler
	case s.Sampler == "gibbs":
		return "alternating Gibbs sampling"
	}
	return "latent moves of pairs"
}

func (s Crossing) finding() report.Finding {
	text := fmt.Sprintf("Rotated Hopfield model, %s: %d chains of %d sweeps changed %d times between its %d states.",
		s.title(), s.Chains, s.Sweeps, s.Diagnosis.Transitions, 2*rotatedPatterns)
	f := report.Finding{Verdict: string(s.Diagnosis.Verdict), Text: text, Section: "rotated",
		Numbers: []report.Fact{{Name: "diagnosis", Value: s.Diagnosis.Reason}}}
	if s.Why != "" {
		f.Numbers = append(f.Numbers, report.Fact{Name: "chosen since", Value: s.Why})
	}
	return f
}

// rotated draws the states of the chains over time.
func (t *Result) rotated() plot.Figure {
	var panels []plot.Panel
	for _, s := range t.Rotated {
		thin := make([][]int, len(s.path))
		columns := min(100, s.Sweeps)
		for c := range thin {
			for i := range columns {
				thin[c] = append(thin[c], s.path[c][i*s.Sweeps/columns])
			}
		}
		p := plot.Occupation(thin, float64(s.Sweeps), s.states)
		p.Title, p.Aspect = s.title(), 1
		panels = append(panels, p)
	}
	return plot.Figure{Columns: 3, Width: plot.TwoColumns, Panels: panels}
}

// beyond is the section on the rotated model.
func (t *Result) beyond() report.Section {
	return report.Section{Heading: "Where the paper's moves do not help", Name: "rotated",
		Paragraphs: []string{fmt.Sprintf("A Hopfield model of %d spins stores %d patterns; they and their opposites "+
			"are equally likely. Its Gaussian hidden units have been rotated, which changes no probability, but no "+
			"hidden unit belongs to a pattern any more: to go from state to state, several have to change at once, "+
			"and moves of one or two fail. A pilot tries other ways, from the cheapest on, and takes the first that "+
			"mixes.", rotatedSpins, rotatedPatterns)},
		Figures: []report.Figure{{Plot: t.rotated(), Caption: "The state of each chain over time: a colour for each " +
			"of the patterns and their opposites. Two chains start in each."}},
		How: []string{
			fmt.Sprintf("instanton new hopfield --n %d --m %d --w %g --rotate --seed %d -o rotated.npz", rotatedSpins,
				rotatedPatterns, rotatedWeight, t.seed),
			"instanton diagnose rotated.npz",
			"instanton diagnose rotated.npz --sampler latent --block 2 --sweeps 200",
			"instanton diagnose rotated.npz --sampler auto",
			"instanton mix rotated.npz",
		}}
}
