package experiment

import (
	"context"
	"image"
	"math"
	"math/bits"

	"instanton/dataset"
	"instanton/paper/verdict"
	"instanton/sampler"
	"instanton/unit"
)

// BASImage is the image of bars or stripes nearest to a configuration.
type BASImage struct {
	Class    int    // dataset.Bar, Stripe or Both
	Lines    uint64 // those that are on
	Distance int    // pixels that differ
}

// NearestImage is the image nearest to configuration k: each line takes the value of most of its pixels.
func NearestImage(v *unit.States, k, side int) BASImage {
	var columns, rows [64]int
	for y := range side {
		for x := range side {
			if v.Value(k, y*side+x) > 0 {
				columns[x]++
				rows[y]++
			}
		}
	}
	bar, stripe := vote(columns[:side], dataset.Bar), vote(rows[:side], dataset.Stripe)
	if stripe.Distance < bar.Distance {
		return stripe
	}
	return bar
}

func vote(on []int, class int) BASImage {
	best := BASImage{Class: class}
	for l, n := range on {
		if 2*n > len(on) {
			best.Lines |= 1 << l
		}
		best.Distance += min(n, len(on)-n)
	}
	if n := bits.OnesCount64(best.Lines); n == 0 || n == len(on) {
		best.Class = dataset.Both
	}
	return best
}

// Same tells whether two images agree, whatever the pixels that differ.
func (a BASImage) Same(b BASImage) bool { return a.Class == b.Class && a.Lines == b.Lines }

// BASRun are chains started alternately at bars and stripes, with the image nearest to each draw.
type BASRun struct {
	side, Chains int
	sampler.Plan
	v        *unit.States
	Start    []BASImage
	Images   [][]BASImage   // by chain and draw
	Passages [][]BASPassage // by chain
}

// BASPassage is a passage to another image.
type BASPassage struct {
	Draw     int
	From, To BASImage
	Turned   bool // bars became stripes, or stripes bars, perhaps by way of an image that is both
}

// Sample starts chains at images spread evenly over bars and over stripes, alternately.
func (b *BAS) Sample(ctx context.Context, s verdict.Settings, k sampler.Kernel, chains int, plan sampler.Plan) (*BASRun,
	error) {
	starts := unit.NewStates(b.Data.States.Spec, chains)
	each := 1<<b.Side - 2 // images of a class, without those that are both
	stride := int(0.618 * float64(each))
	for c := range chains {
		at := 1 + (c/2*stride+each/3)%each // bars follow the image of no lines
		if c%2 == dataset.Stripe {
			at += 1<<b.Side - 1
		}
		starts.CopyRow(c, b.Data.States, at)
	}
	return b.runFrom(ctx, s, s.Seed, k, starts, plan)
}

// runFrom starts a chain at each of some images.
func (b *BAS) runFrom(ctx context.Context, s verdict.Settings, seed uint64, k sampler.Kernel, starts *unit.States,
	plan sampler.Plan) (*BASRun, error) {
	chains := starts.Len
	c := sampler.NewChains(k.Model(), chains, seed)
	if err := c.Begin(starts); err != nil {
		return nil, err
	}
	record := sampler.NewRecord(k, c, plan, false)
	if err := sampler.NewPool(k, s.Workers).Record(ctx, c, record, nil); err != nil {
		return nil, err
	}
	r := &BASRun{side: b.Side, Chains: chains, Plan: plan, v: record.V}
	for c := range chains {
		r.Start = append(r.Start, NearestImage(starts, c, b.Side))
		images := make([]BASImage, plan.Draws)
		for d := range images {
			images[d] = NearestImage(record.V, c*plan.Draws+d, b.Side)
		}
		r.Images, r.Passages = append(r.Images, images), append(r.Passages, passages(r.Start[c], images, b.Side))
	}
	return r, nil
}

// passages lists the changes of image. A chain is at the image where it was last nearly without noise, so that
// wandering between two is no change.
func passages(at BASImage, path []BASImage, side int) (all []BASPassage) {
	class := at.Class // bars or stripes, whichever was seen last
	for d, now := range path {
		if now.Distance > side/4 || now.Same(at) {
			continue
		}
		step := BASPassage{Draw: d, From: at, To: now, Turned: now.Class != dataset.Both && now.Class != class}
		if now.Class != dataset.Both {
			class = now.Class
		}
		all = append(all, step)
		at = now
	}
	return all
}

// Turned counts passages in which bars became stripes, or stripes bars, in [BASRun.Rate].
func Turned(p BASPassage) bool { return p.Turned }

// LinesToUniform is the number of lines that an image is away from having all or none.
func (i BASImage) LinesToUniform(side int) int {
	on := bits.OnesCount64(i.Lines)
	return min(on, side-on)
}

// Rate is the number of passages of some kind per 1000 steps of a chain, its error from the spread over chains, at
// least that of one passage.
func (r *BASRun) Rate(counts func(BASPassage) bool) (mean, err float64) {
	x := make([]float64, r.Chains)
	for c, steps := range r.Passages {
		for _, p := range steps {
			if counts(p) {
				x[c] += 1000 / float64(r.Sweeps())
			}
		}
	}
	mean, err = MeanError(x)
	return mean, math.Max(err, 1000/float64(r.Sweeps()*r.Chains))
}

// AnyPassage counts every passage, in [BASRun.Rate].
func AnyPassage(BASPassage) bool { return true }

// ValidShare is the share of draws that are an image of bars or stripes.
func (r *BASRun) ValidShare() (mean, err float64) {
	x := make([]float64, r.Chains)
	for c, images := range r.Images {
		for _, i := range images {
			if i.Distance == 0 {
				x[c] += 1 / float64(len(images))
			}
		}
	}
	return MeanError(x)
}

// validIn is the share of images among the draws nearest to a class.
func (r *BASRun) validIn(class int) (share, err float64) {
	var with, all []float64
	var a, n float64
	for _, images := range r.Images {
		var x, y float64
		for _, i := range images {
			if i.Class == class {
				y++
				if i.Distance == 0 {
					x++
				}
			}
		}
		with, all = append(with, x), append(all, y)
		a, n = a+x, n+y
	}
	if n == 0 {
		return 0, 0
	}
	share = a / n
	var square float64
	for c := range with {
		d := with[c] - share*all[c]
		square += d * d
	}
	return share, math.Sqrt(square) / n
}

// Stayed is the share of chains that end at the image they began with.
func (r *BASRun) Stayed() (share, err float64) {
	x := make([]float64, r.Chains)
	for c, images := range r.Images {
		if images[len(images)-1].Same(r.Start[c]) {
			x[c] = 1
		}
	}
	share, err = MeanError(x)
	return share, math.Max(err, 1/float64(r.Chains))
}

// LeavingRate is the rate at which chains leave their first image, per 1000 steps: departures over the time until then.
// A departure is two draws in a row nearer to other images, however noisy, so that it takes no clear image to arrive
// at.
func (r *BASRun) LeavingRate() (rate, err float64) {
	var departures, steps float64
	for c, images := range r.Images {
		stay := len(images)
		for d := range len(images) - 1 {
			if !images[d].Same(r.Start[c]) && !images[d+1].Same(r.Start[c]) {
				stay = d + 1
				departures++
				break
			}
		}
		steps += float64(stay * r.Every)
	}
	return 1000 * departures / steps, 1000 * math.Sqrt(math.Max(departures, 1)) / steps
}

// Visited is the mean number of different images that a chain saw.
func (r *BASRun) Visited() (mean, err float64) {
	x := make([]float64, r.Chains)
	for c, steps := range r.Passages {
		seen := map[BASImage]bool{{Class: r.Start[c].Class, Lines: r.Start[c].Lines}: true}
		for _, p := range steps {
			seen[BASImage{Class: p.To.Class, Lines: p.To.Lines}] = true
		}
		x[c] = float64(len(seen))
	}
	return MeanError(x)
}

// Frames shows count draws of a chain, one in every so many, its start first.
func (r *BASRun) Frames(b *BAS, chain, count, every int) ([]image.Image, error) {
	first := unit.NewStates(r.v.Spec, 1)
	for k := range b.Data.States.Len {
		if i := NearestImage(b.Data.States, k, b.Side); i.Same(r.Start[chain]) {
			first.CopyRow(0, b.Data.States, k)
		}
	}
	img, err := Picture(first, 0)
	if err != nil {
		return nil, err
	}
	all := []image.Image{img}
	for d := every - 1; d < r.Draws && len(all) < count; d += every {
		if img, err = Picture(r.v, chain*r.Draws+d); err != nil {
			return nil, err
		}
		all = append(all, img)
	}
	return all, nil
}
