package paper

import (
	"context"
	"image"
	"math"
	"math/bits"

	"instanton/dataset"
	"instanton/sampler"
	"instanton/unit"
)

// basImage is the image of bars or stripes nearest to a configuration.
type basImage struct {
	class int    // dataset.Bar, Stripe or Both
	lines uint64 // those that are on
	apart int    // pixels that differ
}

// nearestImage finds it: each line takes the value of most of its pixels.
func nearestImage(v *unit.States, k, side int) basImage {
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
	if stripe.apart < bar.apart {
		return stripe
	}
	return bar
}

func vote(on []int, class int) basImage {
	best := basImage{class: class}
	for l, n := range on {
		if 2*n > len(on) {
			best.lines |= 1 << l
		}
		best.apart += min(n, len(on)-n)
	}
	if n := bits.OnesCount64(best.lines); n == 0 || n == len(on) {
		best.class = dataset.Both
	}
	return best
}

func (a basImage) same(b basImage) bool { return a.class == b.class && a.lines == b.lines }

// basRun are chains from bars and stripes by turns, with the image nearest to each draw.
type basRun struct {
	side, chains int
	sampler.Plan
	v      *unit.States
	start  []basImage
	images [][]basImage // by chain and draw
	steps  [][]basStep  // by chain
}

// basStep is a passage to another image.
type basStep struct {
	draw     int
	from, to basImage
	turned   bool // bars became stripes, or stripes bars, perhaps by way of an image that is both
}

// run starts chains at images spread evenly over bars and over stripes, by turns.
func (b *bas) run(ctx context.Context, s Settings, k sampler.Kernel, chains int, plan sampler.Plan) (*basRun, error) {
	starts := unit.NewStates(b.Data.States.Spec, chains)
	each := 1<<b.side - 2 // images of a class, without those that are both
	stride := int(0.618 * float64(each))
	for c := range chains {
		at := 1 + (c/2*stride+each/3)%each // bars follow the image of no lines
		if c%2 == dataset.Stripe {
			at += 1<<b.side - 1
		}
		starts.CopyRow(c, b.Data.States, at)
	}
	return b.runFrom(ctx, s, s.Seed, k, starts, plan)
}

// runFrom starts a chain at each of some images.
func (b *bas) runFrom(ctx context.Context, s Settings, seed uint64, k sampler.Kernel, starts *unit.States, plan sampler.Plan) (*basRun, error) {
	chains := starts.Len
	c := sampler.NewChains(k.Model(), chains, seed)
	if err := c.Begin(starts); err != nil {
		return nil, err
	}
	record := sampler.NewRecord(k, c, plan, false)
	if err := sampler.NewPool(k, s.Workers).Record(ctx, c, record, nil); err != nil {
		return nil, err
	}
	r := &basRun{side: b.side, chains: chains, Plan: plan, v: record.V}
	for c := range chains {
		r.start = append(r.start, nearestImage(starts, c, b.side))
		images := make([]basImage, plan.Draws)
		for d := range images {
			images[d] = nearestImage(record.V, c*plan.Draws+d, b.side)
		}
		r.images, r.steps = append(r.images, images), append(r.steps, passages(r.start[c], images, b.side))
	}
	return r, nil
}

// passages lists the changes of image. A chain is at the image where it was last nearly without noise, so that
// wandering between two is no change.
func passages(at basImage, path []basImage, side int) (all []basStep) {
	class := at.class // bars or stripes, whichever was seen last
	for d, now := range path {
		if now.apart > side/4 || now.same(at) {
			continue
		}
		step := basStep{draw: d, from: at, to: now, turned: now.class != dataset.Both && now.class != class}
		if now.class != dataset.Both {
			class = now.class
		}
		all = append(all, step)
		at = now
	}
	return all
}

// turned tells that bars became stripes, or stripes bars.
func turned(p basStep) bool { return p.turned }

// poor is the number of lines that an image is away from having all or none.
func (i basImage) poor(side int) int {
	on := bits.OnesCount64(i.lines)
	return min(on, side-on)
}

// rate is the number of passages of some kind per 1000 steps of a chain, its error from the spread over chains, at
// least that of one passage.
func (r *basRun) rate(counts func(basStep) bool) (mean, err float64) {
	x := make([]float64, r.chains)
	for c, steps := range r.steps {
		for _, p := range steps {
			if counts(p) {
				x[c] += 1000 / float64(r.Sweeps())
			}
		}
	}
	mean, err = meanAndError(x)
	return mean, math.Max(err, 1000/float64(r.Sweeps()*r.chains))
}

func anyStep(basStep) bool { return true }

// valid is the share of draws that are an image of bars or stripes.
func (r *basRun) valid() (mean, err float64) {
	x := make([]float64, r.chains)
	for c, images := range r.images {
		for _, i := range images {
			if i.apart == 0 {
				x[c] += 1 / float64(len(images))
			}
		}
	}
	return meanAndError(x)
}

// validIn is the share of images among the draws nearest to a class.
func (r *basRun) validIn(class int) (share, err float64) {
	var with, all []float64
	var a, n float64
	for _, images := range r.images {
		var x, y float64
		for _, i := range images {
			if i.class == class {
				y++
				if i.apart == 0 {
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

// kept is the share of chains that end at the image they began with.
func (r *basRun) kept() (share, err float64) {
	x := make([]float64, r.chains)
	for c, images := range r.images {
		if images[len(images)-1].same(r.start[c]) {
			x[c] = 1
		}
	}
	share, err = meanAndError(x)
	return share, math.Max(err, 1/float64(r.chains))
}

// leaving is the rate at which chains leave their first image, per 1000 steps: departures over the time until then. A
// departure is two draws in a row nearer to other images, however noisy, so that it takes no clear image to arrive at.
func (r *basRun) leaving() (rate, err float64) {
	var departures, steps float64
	for c, images := range r.images {
		stay := len(images)
		for d := range len(images) - 1 {
			if !images[d].same(r.start[c]) && !images[d+1].same(r.start[c]) {
				stay = d + 1
				departures++
				break
			}
		}
		steps += float64(stay * r.Every)
	}
	return 1000 * departures / steps, 1000 * math.Sqrt(math.Max(departures, 1)) / steps
}

// visited is the mean number of different images that a chain saw.
func (r *basRun) visited() (mean, err float64) {
	x := make([]float64, r.chains)
	for c, steps := range r.steps {
		seen := map[basImage]bool{{class: r.start[c].class, lines: r.start[c].lines}: true}
		for _, p := range steps {
			seen[basImage{class: p.to.class, lines: p.to.lines}] = true
		}
		x[c] = float64(len(seen))
	}
	return meanAndError(x)
}

// frames shows every so manieth draw of a chain, so many of them, its start first.
func (r *basRun) frames(b *bas, chain, count, every int) ([]image.Image, error) {
	first := unit.NewStates(r.v.Spec, 1)
	for k := range b.Data.States.Len {
		if i := nearestImage(b.Data.States, k, b.side); i.same(r.start[chain]) {
			first.CopyRow(0, b.Data.States, k)
		}
	}
	img, err := picture(first, 0)
	if err != nil {
		return nil, err
	}
	all := []image.Image{img}
	for d := every - 1; d < r.Draws && len(all) < count; d += every {
		if img, err = picture(r.v, chain*r.Draws+d); err != nil {
			return nil, err
		}
		all = append(all, img)
	}
	return all, nil
}
