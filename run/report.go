package run

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"instanton/internal/atomicfile"
	"instanton/plot"
	"instanton/report"
	"instanton/unit"
)

// writeReport writes report.html: how the training went and what it came to.
func (r *Run) writeReport(res *Result) error {
	return atomicfile.Write(r.path("report.html"), true, r.page(res).Write)
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
			{Name: "time", Value: fmt.Sprintf("%.1f s, %.0f sweeps a second", res.Seconds, res.SweepsPerSecond)},
		},
		How: r.how(),
	}
	s := report.Section{
		Heading: "The training",
		Paragraphs: []string{fmt.Sprintf("Method %s, k = %d, sampler %s, minibatches of %d, optimizer %s at a "+
			"learning rate of %g, schedule %s. All settings are in config.toml. "+
			"A good pseudo-likelihood does not rule out that modes are missing: see whether chains mix with "+
			"instanton diagnose.",
			c.Train.Method, c.Train.Sweeps, c.Train.Sampler, c.Train.Batch, c.Train.Optimizer.Name,
			c.Train.Optimizer.Rate, c.Train.Schedule.Name)},
		How: []string{"# in the folder of this page", "instanton diagnose model.npz"},
	}
	if len(r.metrics.reports) >= 2 {
		s.Figures = append(s.Figures, report.Figure{Plot: Curves(r.metrics.reports), Caption: "Reports on the way."})
	}
	p.Sections = append(p.Sections, s)
	if sheet := r.weights(); sheet != nil {
		p.Sections = append(p.Sections, report.Section{Heading: "The weights", Figures: []report.Figure{{
			Plot: plot.Figure{Panels: []plot.Panel{{Images: sheet, Label: plot.NoLabel}}},
			Caption: fmt.Sprintf("Weights of the %d hidden units with the largest ones, black for positive and white "+
				"for negative values, each with its own scale.", shown(m.Hidden.Spec().Width()))}}})
	}
	return p
}

// how is the training as commands that work in the folder of the page, wherever it was made from.
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

// fromHere is the path of an input as seen from the run directory, quoted for a shell.
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

// plainWord matches what a shell takes as it stands.
var plainWord = regexp.MustCompile(`^[\pL\pN_./:@%+=,][\pL\pN_./:@%+=,-]*$`)

// shellWord writes an argument for a shell.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	if strings.HasPrefix(word, "-") {
		word = "./" + word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// finding says how good the model is, in the best number there is.
func (res *Result) finding() report.Finding {
	f := report.Finding{Verdict: Finished}
	add := func(name string, x *float64) {
		if x != nil {
			f.Numbers = append(f.Numbers, report.Fact{Name: name, Value: fmt.Sprintf("%.4f", *x)})
		}
	}
	switch {
	case res.LL != nil:
		f.Text = fmt.Sprintf("The mean log-likelihood of a sample is %.4f, exact.", *res.LL)
	case res.PseudoLL != nil:
		f.Text = fmt.Sprintf("The mean pseudo-log-likelihood of a sample is %.4f, summed over sites.", *res.PseudoLL)
	default:
		f.Text = "No likelihood is known; instanton evaluate estimates it."
	}
	add("log-likelihood of samples held out", res.ValidLL)
	add("pseudo-log-likelihood", res.PseudoLL)
	add("of samples held out", res.ValidPseudoLL)
	add("free-energy gap", res.FreeEnergyGap)
	add("norm of the weights", &res.WeightNorm)
	return f
}

// shown is the number of hidden units whose weights are drawn.
func shown(units int) int { return min(units, 24) }

// weights draws those of the hidden units with the largest norms, where the data are images of two-valued or
// real pixels.
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
