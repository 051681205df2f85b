package figure

import (
	"context"
	"fmt"
	"image"

	"instanton/dataset"
	"instanton/lattice"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/unit"
)

func datasetFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-dataset", Title: "The data",
		Shows: "Bars and Stripes of 10 × 10 pixels, hand-written zeros and ones, and the two structures that " +
			"define families of lattice proteins.",
		Version: 3, Run: runDataset,
	}
}

func runDataset(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	var r verdict.Result
	bas, err := basExamples(s.Seed)
	if err != nil {
		return nil, err
	}
	var digits *plot.Panel
	switch images, err := mnistExamples(ctx, s); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		r.Missing = fmt.Sprintf("%v: %v", experiment.ErrNoMNIST, err)
		s.Progress("%s", r.Missing)
	default:
		digits = &images
	}
	space := lattice.Enumerate()
	proteins, err := structureExamples(space)
	if err != nil {
		return nil, err
	}
	figure, caption := dataPlot(bas, digits, proteins)
	r.Draw("", caption, figure)
	structureClaims(&r, space)
	return &r, basCount(&r)
}

// dataPlot puts the panels together. They keep the letters of the paper, also where the digits are missing (nil).
func dataPlot(bas plot.Panel, digits *plot.Panel, proteins []plot.Panel) (plot.Figure, string) {
	panels := []plot.Panel{bas}
	mnist := "(b), hand-written zeros and ones, is left out: MNIST's files were not there. "
	if digits != nil {
		panels = append(panels, *digits)
		mnist = "(b) MNIST: zeros and ones, black and white. "
	}
	panels = append(panels, proteins...)
	return plot.Figure{Width: plot.TwoColumns, Columns: len(panels), Panels: panels},
		"Examples of the data. (a) Bars and Stripes, L = 10: bars left, stripes right. " + mnist +
			"(c) The structures A and B of lattice proteins: " +
			"chains of 27 residues on the 3 × 3 × 3 cube, numbered from the blue end to the orange one."
}

// sheetOf lays two classes of images side by side, each in rows of two.
func sheetOf(label string, left, right []image.Image) plot.Panel {
	sheet := &plot.ImageSheet{}
	for k := 0; k+1 < min(len(left), len(right)); k += 2 {
		sheet.Rows = append(sheet.Rows, plot.ImageRow{Images: []image.Image{left[k], left[k+1], right[k], right[k+1]}})
	}
	return plot.Panel{Label: label, Images: sheet}
}

// pick draws the first few images of each of two classes.
func pick(d *dataset.Dataset, width, each int, lo, hi float64, classes [2]int) (out [2][]image.Image, err error) {
	v := make([]float64, d.States.N)
	for k := range d.States.Len {
		for c, class := range classes {
			if d.Labels[k] != class || len(out[c]) == each {
				continue
			}
			d.States.Values(v, k)
			img, err := plot.Picture(width, v, lo, hi)
			if err != nil {
				return out, err
			}
			out[c] = append(out[c], img)
		}
	}
	return out, nil
}

const exampleImages = 6 // of each class

func basExamples(seed uint64) (plot.Panel, error) {
	const size = 10
	d, err := dataset.RandomBarsAndStripes(size, 100, unit.Bernoulli, seed)
	if err != nil {
		return plot.Panel{}, err
	}
	images, err := pick(d, size, exampleImages, 0, 1, [2]int{dataset.Bar, dataset.Stripe})
	return sheetOf("(a)", images[0], images[1]), err
}

func mnistExamples(ctx context.Context, s verdict.Settings) (plot.Panel, error) {
	folder, err := dataset.FindMNIST(ctx, s.MNIST, s.Progress)
	if err != nil {
		return plot.Panel{}, err
	}
	d, err := dataset.MNIST(folder, dataset.MNISTOptions{Test: true, Digits: []int{0, 1}, Type: unit.Bernoulli,
		Threshold: 0.5})
	if err != nil {
		return plot.Panel{}, err
	}
	images, err := pick(d, 28, exampleImages, 0, 1, [2]int{0, 1})
	return sheetOf("(b)", images[0], images[1]), err
}

// structureExamples draws the two structures.
func structureExamples(space *lattice.Space) (panels []plot.Panel, err error) {
	for k, name := range []string{"A", "B"} {
		index, err := lattice.ParseIndex(name)
		if err != nil {
			return nil, err
		}
		var walk plot.Walk
		for i := range lattice.Length {
			x, y, z := space.At(index).Site(i)
			walk.Sites = append(walk.Sites, [3]int{x, y, z})
		}
		d := plot.Diagram{Shapes: []plot.Shape{walk}}
		d.Width, d.Height = walk.Size()
		panels = append(panels, plot.Panel{Label: []string{"(c)", plot.NoLabel}[k], Title: "$S_" + name + "$",
			Diagram: &d})
	}
	return panels, nil
}

// structureClaims count structures and their contacts.
func structureClaims(r *verdict.Result, space *lattice.Space) {
	least, most := lattice.NumContacts+1, 0
	for k := range space.Len() {
		n := len(space.At(k).Contacts())
		least, most = min(least, n), max(most, n)
	}
	r.Claim(verdict.Claim{
		Name: "structures", Where: "section on lattice proteins",
		Statement:  "There are 103,406 structures on the 3 × 3 × 3 cube up to its symmetries.",
		Criterion:  "so many are enumerated; corrected: 103,346",
		Measured:   []verdict.Measured{{Name: "structures", Value: float64(space.Len())}},
		Verdict:    verdict.JudgeOr(space.Len() == 103406, space.Len() == 103346),
		Correction: "there are 103,346.",
	})
	r.Claim(verdict.Claim{
		Name: "contacts", Where: "section on lattice proteins",
		Statement: "Every structure has 28 contacts.",
		Criterion: "28 contacts in each structure",
		Tautology: "neighbours on the cube less steps of the walk, 54 − 26.",
		Measured:  []verdict.Measured{{Name: "least", Value: float64(least)}, {Name: "most", Value: float64(most)}},
		Verdict:   verdict.Judge(least == 28 && most == 28),
	})
}

// basCount draws all bars and all stripes and counts the distinct images, which the data set lists.
func basCount(r *verdict.Result) error {
	claim := verdict.Claim{
		Name: "bas-count", Where: "section on Bars and Stripes",
		Statement: "There are 2^(L+1) − 1 images of Bars and Stripes.",
		Criterion: "so many distinct images for L = 2 to 10; corrected: 2^(L+1) − 2, the empty and the full image " +
			"alone being both",
		Correction: "there are 2^(L+1) − 2: the empty and the full image are both bars and stripes.",
	}
	printed, corrected := true, true
	for size := 2; size <= 10; size++ {
		d, err := dataset.BarsAndStripes(size, unit.Bernoulli)
		if err != nil {
			return err
		}
		listed := map[string]bool{}
		v := make([]float64, size*size)
		for k := range d.States.Len {
			d.States.Values(v, k)
			listed[fmt.Sprint(v)] = true
		}
		distinct, both := drawAll(size)
		for image := range distinct {
			if !listed[image] {
				return fmt.Errorf("the data set of side %d lacks the image %s", size, image)
			}
		}
		printed = printed && len(distinct) == 1<<(size+1)-1
		corrected = corrected && len(distinct) == 1<<(size+1)-2 && both == 2 && len(listed) == len(distinct)
		if size == 2 || size == 3 || size == 10 {
			claim.Measured = append(claim.Measured,
				verdict.Measured{Name: fmt.Sprintf("images, L = %d", size), Value: float64(len(distinct))})
		}
		if size == 10 {
			claim.Measured = append(claim.Measured,
				verdict.Measured{Name: "of them both bars and stripes", Value: float64(both)})
		}
	}
	claim.Verdict = verdict.JudgeOr(printed, corrected)
	r.Claim(claim)
	return nil
}

// drawAll draws every bar and every stripe, and counts the images that are drawn as both.
func drawAll(size int) (distinct map[string]bool, both int) {
	distinct = map[string]bool{}
	for _, across := range []bool{false, true} {
		for lines := range 1 << size {
			v := make([]float64, size*size)
			for i := range v {
				line := i % size
				if across {
					line = i / size
				}
				v[i] = float64(lines >> line & 1)
			}
			image := fmt.Sprint(v)
			if distinct[image] {
				both++
			}
			distinct[image] = true
		}
	}
	return distinct, both
}
