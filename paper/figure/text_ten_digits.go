package figure

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"instanton/evaluate"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/sampler"
	"instanton/unit"
)

func tenDigitsFigure() verdict.Figure {
	return verdict.Figure{
		Name: "text-mnist-ten-digits", Title: "From zero to one by way of other digits",
		Shows: "Models of spins trained on all ten digits, and on zeros and ones alone, under alternating Gibbs " +
			"sampling from zeros and ones: how often chains go from one to the other, and by way of what. " +
			"One forest of ten classes judges all.",
		Version: 3, Run: runTenDigits,
	}
}

// tenDigits is the training on all digits.
func tenDigits(quick bool) experiment.DigitsPlan {
	if quick {
		return experiment.DigitsPlan{Name: "mnist-ten-digits", Images: 6000, Hidden: "spin:200", Sweeps: 5, Epochs: 8,
			Report: 100, Annealing: 300}
	}
	return experiment.DigitsPlan{Name: "mnist-ten-digits", Hidden: "spin:200", Sweeps: 10, Epochs: 8, Report: 1000,
		Annealing: 2000}
}

func runTenDigits(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	var ten, two []*experiment.Digits
	for again := range 3 {
		for _, x := range []struct {
			plan experiment.DigitsPlan
			to   *[]*experiment.Digits
		}{{tenDigits(s.Quick), &ten}, {experiment.ZerosAndOnes(s.Quick), &two}} {
			x.plan.Again = again
			if again > 0 {
				x.plan.Bridge = evaluate.BridgeOptions{} // the classes of one are weighed elsewhere
			}
			d, err := experiment.TrainDigits(ctx, s, x.plan)
			if err != nil {
				return withoutMNIST(s, err)
			}
			*x.to = append(*x.to, d)
		}
	}
	chains, steps := 40, 50_000
	if s.Quick {
		steps = 10_000
	}
	return tenDigitsResult(ctx, s, ten, two, chains, steps)
}

// likely is the probability from which a chain counts as having entered one of ten classes.
const likely = 0.5

// passage is a chain's way from a zero to a one or back.
type passage struct {
	chain, from, to int   // draws: the last at the old digit, the first at the new one
	by              []int // other digits on the way, in order of their first appearance
}

// waysBetween finds all ways between classes 0 and 1.
func waysBetween(path [][]int) (all []passage) {
	for chain, modes := range path {
		last, at := -1, 0
		var by []int
		for d, mode := range modes {
			switch {
			case mode != 0 && mode != 1:
				if mode >= 0 && !slices.Contains(by, mode) {
					by = append(by, mode)
				}
				continue
			case last >= 0 && mode != last:
				all = append(all, passage{chain, at, d, by})
			}
			last, at, by = mode, d, nil
		}
	}
	return all
}

// passageRun are chains of one model, and their ways between zero and one.
type passageRun struct {
	*experiment.ClassRun
	ways []passage
}

func (r passageRun) rate() float64 { return 1000 * float64(len(r.ways)) / r.Steps() }

// followDigits runs each model from zeros and ones. One judge serves all, so that passages mean the same.
func followDigits(ctx context.Context, s verdict.Settings, models []*experiment.Digits, from *unit.States, steps int,
	j experiment.Classes) (all []passageRun, err error) {
	for k, d := range models {
		s.Progress("sampling the model of %d digits, training %d", len(d.Train.LabelNames), k+1)
		kernel, err := sampler.NewGibbs(d.Model, 1)
		if err != nil {
			return nil, err
		}
		own := s
		own.Seed = s.SeedFor(fmt.Sprintf("passages %d", k))
		run, err := experiment.RunClasses(ctx, own, kernel, from, steps, passageEvery, j)
		if err != nil {
			return nil, err
		}
		all = append(all, passageRun{run, waysBetween(run.Path)})
	}
	return all, nil
}

// passageEvery is the number of steps between draws.
const passageEvery = 20

func tenDigitsResult(ctx context.Context, s verdict.Settings, tens, twos []*experiment.Digits, chains,
	steps int) (*verdict.Result, error) {
	from, err := experiment.InterleavedExamples(twos[0].Test, chains)
	if err != nil {
		return nil, err
	}
	ten := tens[0]
	j := experiment.Classes{Names: ten.Test.LabelNames, Classify: ten.Classify, Threshold: likely}
	tenRuns, err := followDigits(ctx, s, tens, from, steps, j)
	if err != nil {
		return nil, err
	}
	twoRuns, err := followDigits(ctx, s, twos, from, steps, j)
	if err != nil {
		return nil, err
	}
	const every = passageEvery
	var r verdict.Result
	run := tenRuns[0]
	ways := run.ways
	modelTable(&r, ten.Trained, nil, [3]any{"log-likelihood of the test images", ten.HeldOut, ten.HeldOutError},
		[3]any{"share of images that the forest takes for another digit, out of bag", ten.OutOfBag, ""})
	rates := r.Table("rates", "Passages between zero and one in each model.", "digits", "training", "passages",
		"per 1000 steps", "log-likelihood of its test images", "error")
	rates.Shown = true
	for _, x := range []struct {
		runs   []passageRun
		models []*experiment.Digits
	}{{tenRuns, tens}, {twoRuns, twos}} {
		for k, run := range x.runs {
			rates.Add(len(x.models[k].Train.LabelNames), k+1, len(run.ways), run.rate(), x.models[k].HeldOut,
				x.models[k].HeldOutError)
		}
	}
	changes := r.Table("changes",
		"Changes from one digit (row) to another (column) in the first model of ten digits, all chains together.",
		append([]string{"from"}, run.Names...)...)
	changes.Shown = true
	for a, row := range run.Counts {
		cells := []any{run.Names[a]}
		for _, n := range row {
			cells = append(cells, n)
		}
		changes.Add(cells...)
	}
	table := r.Table("passages", "Ways between zero and one: the steps they took and the digits on the way.", "chain",
		"from", "step", "steps", "by way of")
	through := 0
	var count [2]int // from 0, and from 1
	for _, w := range ways {
		count[run.Path[w.chain][w.from]]++
		var by []string
		for _, digit := range w.by {
			by = append(by, run.Names[digit])
		}
		if len(by) > 0 {
			through++
		}
		table.Add(w.chain, run.Names[run.Path[w.chain][w.from]], (w.from+1)*every, (w.to-w.from)*every,
			strings.Join(by, " "))
	}
	figure, caption, err := passagePlot(run.ClassRun, ways)
	if err != nil {
		return nil, err
	}
	r.Draw("", caption, figure)
	tenDigitsClaims(&r, tenRuns, twoRuns, count, through)
	return &r, nil
}

// overTrainings is the mean rate of passages, with the error from one training to another, at least that of the number
// seen.
func overTrainings(runs []passageRun) (mean, err float64) {
	x := make([]float64, len(runs))
	seen, steps := 0, 0.0
	for k, run := range runs {
		x[k] = run.rate()
		seen, steps = seen+len(run.ways), steps+run.Steps()
	}
	mean, err = experiment.MeanError(x)
	_, counted := experiment.PerThousand(seen, steps)
	return mean, max(err, counted)
}

// tenDigitsClaims are on the first model of ten digits, and compare all with those of two.
func tenDigitsClaims(r *verdict.Result, tens, twos []passageRun, ways [2]int, through int) {
	changes, changesErr := tens[0].ClassRun.Rate()
	all := ways[0] + ways[1]
	mean, err := overTrainings(tens)
	other, otherErr := overTrainings(twos)
	r.Claim(verdict.Claim{
		Name: "reaches", Where: "section on MNIST 0/1",
		Statement: "With a model of all ten digits, alternating Gibbs sampling can reach one from zero and the " +
			"other way round.",
		Criterion: "chains go from zero to one and from one to zero",
		Measured: []verdict.Measured{{Name: "passages from 0 to 1", Value: float64(ways[0])},
			{Name: "from 1 to 0", Value: float64(ways[1])}, {Name: "in steps", Value: tens[0].Steps()}},
		Verdict: verdict.Judge(ways[0] > 0 && ways[1] > 0),
	})
	r.Claim(verdict.Claim{
		Name: "more-often", Where: "section on MNIST 0/1",
		Statement: "A model of all ten digits goes between zero and one much more often than one of these two alone.",
		Criterion: fmt.Sprintf("more than twice the rate of models of two digits, by two standard errors of the "+
			"difference; rates and errors are those of %d trainings each", len(tens)),
		Measured: []verdict.Measured{{Name: "passages per 1000 steps", Value: mean, Error: err},
			{Name: "with two digits", Value: other, Error: otherErr},
			{Name: "changes of any digit per 1000 steps", Value: changes, Error: changesErr}},
		Verdict: verdict.Judge(mean-2*other > 2*math.Hypot(err, 2*otherErr)),
	})
	if all == 0 {
		r.Note("No chain went from a zero to a one or back: nothing can be said of the digits on the way.")
		return
	}
	share := float64(through) / float64(all)
	p := float64(through+1) / float64(all+2) // Laplace's rule keeps the error of a share of 0 or 1 above zero
	wide := math.Sqrt(p * (1 - p) / float64(all))
	r.Claim(verdict.Claim{
		Name: "by-way-of", Where: "discussion",
		Statement: "The transitions between zero and one go through other digits.",
		Criterion: "more than half of the passages visit another digit on the way, by two standard errors",
		Measured: []verdict.Measured{{Name: "share of passages by way of other digits", Value: share, Error: wide},
			{Name: "passages", Value: float64(all)}},
		Verdict: verdict.Judge(share-2*wide > 0.5),
	})
}

// passagePlot shows the first passage by way of another digit, or else the first chain.
func passagePlot(run *experiment.ClassRun, ways []passage) (plot.Figure, string, error) {
	way := passage{to: run.Draws - 1}
	caption := "Images of the first chain, evenly spaced in time, and the probabilities that a random forest gives " +
		"to the digits."
	for k, w := range ways {
		if k == 0 || len(way.by) == 0 && len(w.by) > 0 {
			way = w
			caption = fmt.Sprintf("A passage between zero and one of the model of ten digits, steps %d to %d of a "+
				"chain: images, evenly spaced in time, and the probabilities that a random forest gives to the digits.",
				(w.from+1)*run.Every, (w.to+1)*run.Every)
		}
	}
	const shown = 12
	var images []image.Image
	for k := range shown {
		img, err := experiment.Picture(run.V, way.chain*run.Draws+way.from+k*(way.to-way.from)/(shown-1))
		if err != nil {
			return plot.Figure{}, "", err
		}
		images = append(images, img)
	}
	sheet := plot.ImageSheet{Rows: []plot.ImageRow{{Images: images}}}
	margin := max(1, (way.to-way.from)/10)
	lo, hi := max(0, way.from-margin), min(run.Draws-1, way.to+margin)
	panel := plot.Panel{X: plot.Axis{Label: "step"},
		Y: plot.Axis{Label: "probability", Limits: plot.Between(-0.03, 1.03)}, Legend: plot.LegendAbove, Aspect: 0.3}
	for digit := range run.Names {
		var t, y []float64
		most := 0.0
		thin := max(1, (hi-lo)/250)
		for d := lo; d <= hi; d += thin {
			p := run.P[way.chain*run.Draws+d][digit]
			t, y = append(t, float64((d+1)*run.Every)), append(y, p)
			most = max(most, p)
		}
		if most < 0.4 && digit > 1 {
			continue // never close to it
		}
		line := plot.Line{Name: strconv.Itoa(digit), X: t, Y: y,
			Color: []plot.Color{plot.Blue, plot.Vermilion, plot.Green, plot.Orange, plot.SkyBlue, plot.Purple,
				plot.Black, plot.Grey}[digit%8], Width: 0.9}
		if digit >= 8 {
			line.Dash, line.Color = plot.Dashed, []plot.Color{plot.Green, plot.Orange}[digit-8]
		}
		panel.Series = append(panel.Series, line)
	}
	return plot.Figure{Columns: 1, Width: plot.TwoColumns, Panels: []plot.Panel{{Images: &sheet}, panel}}, caption, nil
}
