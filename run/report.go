package run

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"instanton/explain"
	"instanton/internal/atomicfile"
	"instanton/interpret"
	"instanton/plot"
	"instanton/report"
	"instanton/unit"
)

// writeReport writes report.html: how the training went and how good the model is.
func (r *Run) writeReport(res *Result) error {
	page := r.page(res)
	cards, err := r.cards()
	if err != nil {
		return err
	}
	page.Sections = append(page.Sections, cards...)
	return atomicfile.Write(r.path("report.html"), true, page.Write)
}

// Hidden units that get a card in the report, and the largest number of samples that describe them: a report must
// cost little beside the training.
const (
	reportCards   = 8
	reportSamples = 2000
)

// cards explain the most important hidden units.
func (r *Run) cards() ([]report.Section, error) {
	d, m := r.in.samples, r.trainer.Model()
	if step := (d.States.Len + reportSamples - 1) / reportSamples; step > 1 {
		var rows []int
		for k := 0; k < d.States.Len; k += step {
			rows = append(rows, k)
		}
		d = d.Pick(rows)
	}
	units, err := interpret.NewUnits(m, d)
	if err != nil {
		return nil, err
	}
	page := explain.Page{Model: m, Data: d, Units: units, Cards: reportCards}
	cards := page.Sections()
	if more := len(units.Units) - len(cards); more > 0 {
		last := &cards[len(cards)-1]
		last.How = []string{fmt.Sprintf("# all %d units, in the folder of this page", len(units.Units)),
			"instanton explain model.npz " + r.fromHere(r.cfg.Data.Path) + " -o cards"}
	}
	return cards, nil
}

func (r *Run) page(res *Result) report.Report {
	c, data := r.cfg, filepath.Base(r.cfg.Data.Path)
	m := r.trainer.Model()
	p := report.Report{
		Title: "A model of " + data,
		Subtitle: fmt.Sprintf("%s visible and %s hidden units, %d updates in %d epochs", m.Visible.Spec(),
			m.Hidden.Spec(), res.Updates, res.Epochs),
		Summary: []report.Finding{res.finding()},
		Facts: []report.Fact{
			{Name: "data", Value: fmt.Sprintf("%s, SHA-256 %s", data, r.in.files[0].SHA256)},
			{Name: "model", Value: "model.npz, SHA-256 " + res.SHA256},
			{Name: "seed", Value: fmt.Sprint(c.Train.Seed)}, {Name: "made by", Value: r.manifest.Program},
			{Name: "time", Value: fmt.Sprintf("%.1f s, %.0f sweeps per second", res.Seconds, res.SweepsPerSecond)},
		},
		How: r.how(),
	}
	s := report.Section{
		Heading: "The training",
		Paragraphs: []string{fmt.Sprintf("Method %s, k = %d, sampler %s, minibatches of %d, optimizer %s at a "+
			"learning rate of %g, schedule %s. All settings are in config.toml. best.npz is the model with the "+
			"highest log-likelihood during the training. A good pseudo-likelihood does not rule out missing modes: "+
			"check with instanton diagnose whether chains mix.",
			c.Train.Method, c.Train.Sweeps, res.SamplerText(), c.Train.Batch, c.Train.Optimizer.Name,
			c.Train.Optimizer.Rate, c.Train.Schedule.Name)},
		How: []string{"# in the folder of this page", "instanton diagnose model.npz"},
	}
	if len(r.metrics.reports) >= 2 {
		s.Figures = append(s.Figures, report.Figure{Plot: Curves(r.metrics.reports),
			Caption: "Reports during the training."})
	}
	p.Sections = append(p.Sections, s)
	if sheet := r.weights(); sheet != nil {
		p.Sections = append(p.Sections, report.Section{Heading: "The weights", Figures: []report.Figure{{
			Plot: plot.Figure{Panels: []plot.Panel{{Images: sheet, Label: plot.NoLabel}}},
			Caption: fmt.Sprintf("Weights of the %d hidden units with the largest weights, black for positive and "+
				"white for negative values, each on its own scale.", shown(m.Hidden.Spec().Width()))}}})
	}
	return p
}

// SamplerText says what moved the chains, and why.
func (res *Result) SamplerText() string {
	if res.Jumps == nil {
		return fmt.Sprintf("%s (%s)", res.Sampler, res.Why)
	}
	return fmt.Sprintf("%s (%s; proposed by a %s, %.2g %% accepted)", res.Sampler, res.Why, res.Jumps.Proposal,
		100*res.Jumps.Acceptance)
}

// how gives the training as commands that work in the folder of the page.
func (r *Run) how() []string {
	again := "instanton train " + r.fromHere(r.cfg.Data.Path) + " --config config.toml"
	if w := r.cfg.Data.Weights; w != "" {
		again += " --weights " + r.fromHere(w)
	}
	name := filepath.Base(r.Dir)
	if here, err := filepath.Abs(r.Dir); err == nil {
		name = filepath.Base(here)
	}
	return []string{"# in the folder of this page", again + " --out " + shellWord(filepath.Join("..", name+"-again"))}
}

// fromHere is the path of an input relative to the run directory, quoted for a shell.
func (r *Run) fromHere(path string) string {
	here, err := filepath.Abs(r.Dir)
	if err != nil {
		return shellWord(path)
	}
	there, err := filepath.Abs(path)
	if err != nil {
		return shellWord(path)
	}
	below, err := filepath.Rel(here, there)
	if err != nil {
		return shellWord(there) // another volume
	}
	return shellWord(below)
}

// plainWord matches words that need no quotes in a shell.
var plainWord = regexp.MustCompile(`^[\pL\pN_./:@%+=,][\pL\pN_./:@%+=,-]*$`)

// shellWord quotes an argument for a shell if necessary.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	if strings.HasPrefix(word, "-") {
		word = "./" + word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// finding says how good the model is.
func (res *Result) finding() report.Finding {
	f := report.Finding{Verdict: string(res.Verdict), Text: res.Judgement() + "."}
	add := func(name string, x *float64) {
		if x != nil {
			f.Numbers = append(f.Numbers, report.Fact{Name: name, Value: fmt.Sprintf("%.4f", *x)})
		}
	}
	switch {
	case res.LL != nil && *res.LLError == 0:
		f.Text += fmt.Sprintf(" The exact mean log-likelihood per sample is %.4f.", *res.LL)
	case res.LL != nil:
		f.Text += fmt.Sprintf(" The mean log-likelihood per sample is estimated to be %.4f ± %.2g.", *res.LL,
			*res.LLError)
	}
	add("log-likelihood of independent sites", res.IndependentLL)
	add("highest log-likelihood, of best.npz", res.BestLL)
	add("log-likelihood of held-out samples", res.ValidLL)
	add("pseudo-log-likelihood", res.PseudoLL)
	add("pseudo-log-likelihood of held-out samples", res.ValidPseudoLL)
	add("free-energy gap", res.FreeEnergyGap)
	add("norm of the weights", &res.WeightNorm)
	return f
}

// shown is the number of hidden units whose weights are drawn.
func shown(units int) int { return min(units, 24) }

// weights draws the weights of the hidden units with the largest norms, if the data are images of binary or real
// pixels.
func (r *Run) weights() *plot.ImageSheet {
	m, shape := r.trainer.Model(), r.in.train.Shape
	if len(shape) != 2 || m.Visible.Spec().Type == unit.Potts || shape[0]*shape[1] != m.Visible.Spec().N {
		return nil
	}
	width := m.Hidden.Spec().Width()
	norm, order := make([]float64, width), make([]int, width)
	for i := range m.Visible.Spec().N {
		for mu, w := range m.Row(i) {
			norm[mu] += w * w
		}
	}
	for mu := range order {
		order[mu] = mu
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case norm[a] > norm[b]:
			return -1
		case norm[a] < norm[b]:
			return 1
		}
		return 0
	})
	sheet := &plot.ImageSheet{}
	values := make([]float64, m.Visible.Spec().N)
	for k, mu := range order[:shown(width)] {
		top := 0.0
		for i := range values {
			values[i] = m.Row(i)[mu]
			top = max(top, values[i], -values[i])
		}
		img, err := plot.Picture(shape[1], values, -top, top)
		if err != nil {
			return nil // a unit without weights
		}
		if k%6 == 0 {
			sheet.Rows = append(sheet.Rows, plot.ImageRow{})
		}
		row := &sheet.Rows[len(sheet.Rows)-1]
		row.Images = append(row.Images, img)
	}
	return sheet
}
