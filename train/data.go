package train

import (
	"errors"
	"fmt"
	"math"

	"instanton/internal/rng"
	"instanton/unit"
)

// Data are the samples to learn from. They are never changed, copied or reordered.
type Data struct {
	States  *unit.States
	Weights []float64 // of each configuration of States; nil: all one
	Rows    []int     // the configurations to learn from; nil: all
	Shape   []int     // rows and columns if the configurations are images
}

var errNoData = errors.New("no data: expected the configurations to learn from")

// check refuses missing data, invalid weights and rows, lists all rows if none are given, and divides the weights by
// the largest. Samples of weight zero are left out.
func (d Data) check() (Data, error) {
	if d.States == nil {
		return d, errNoData
	}
	if d.Weights != nil && len(d.Weights) != d.States.Len {
		return d, fmt.Errorf("there are %d weights for %d samples: expected one per sample",
			len(d.Weights), d.States.Len)
	}
	var sum float64
	for k, w := range d.Weights {
		sum += w
		if !(w >= 0) || math.IsInf(w, 0) {
			return d, fmt.Errorf("weight %d is %g: expected a finite number that is not negative", k, w)
		}
	}
	if len(d.Weights) > 0 && sum == 0 {
		return d, fmt.Errorf("all %d weights are 0: expected at least one positive weight", len(d.Weights))
	}
	d.Weights = RelativeWeights(d.Weights)
	all := d.Rows
	if all == nil {
		all = make([]int, d.States.Len)
		for k := range all {
			all[k] = k
		}
	}
	d.Rows = make([]int, 0, len(all))
	for _, k := range all {
		if k < 0 || k >= d.States.Len {
			return d, fmt.Errorf("row %d of the data: expected 0 to %d", k, d.States.Len-1)
		}
		if d.weight(k) > 0 {
			d.Rows = append(d.Rows, k)
		}
	}
	if len(d.Rows) == 0 {
		return d, fmt.Errorf("there is no sample with a positive weight to learn from")
	}
	return d, nil
}

// RelativeWeights returns weights divided by the largest, or nil for nil: only their ratios matter, and their sum must
// not overflow.
func RelativeWeights(weights []float64) []float64 {
	if weights == nil {
		return nil
	}
	relative := append([]float64(nil), weights...)
	divideByLargest(relative)
	return relative
}

// divideByLargest divides by the largest number, if that is positive.
func divideByLargest(x []float64) {
	var largest float64
	for _, v := range x {
		largest = max(largest, v)
	}
	for i, v := range x {
		if largest > 0 {
			x[i] = v / largest
		}
	}
}

func (d Data) weight(k int) float64 {
	if d.Weights == nil {
		return 1
	}
	return d.Weights[k]
}

// minibatches divides the samples of every epoch, in a new random order, into batches whose sizes differ by at most
// one.
type minibatches struct {
	data     Data
	seed     uint64
	perEpoch int

	epoch  int // that order belongs to
	order  []int
	later  int           // an epoch to come
	after  []int         // whose order is being made already
	made   chan struct{} // closed once it is; nil if none is being made
	states *unit.States  // the current batch
	weight []float64     // the largest is one; rows beyond the batch have zero
	filled int           // rows of the batch
}

func newMinibatches(data Data, size int, seed uint64) *minibatches {
	n := len(data.Rows)
	b := &minibatches{data: data, seed: seed, perEpoch: (n + size - 1) / size, epoch: -1, order: make([]int, n)}
	room := (n + b.perEpoch - 1) / b.perEpoch
	b.states, b.weight = unit.NewStates(data.States.Spec, room), make([]float64, room)
	return b
}

// cut sets the order of the samples to that of the epoch of an update, numbered from 0, tells whether it is another one
// than before, and returns where the batch lies in it.
func (b *minibatches) cut(update int) (lo, hi int, fresh bool) {
	n := len(b.order)
	epoch := update / b.perEpoch
	if fresh = epoch != b.epoch; fresh {
		b.epoch = epoch
		if b.made != nil {
			<-b.made
		}
		if b.made != nil && b.later == epoch {
			b.order, b.after = b.after, b.order
		} else {
			b.shuffle(b.order, epoch)
		}
		b.made = nil
	}
	j := update % b.perEpoch
	return j * n / b.perEpoch, (j + 1) * n / b.perEpoch, fresh
}

// shuffle sets dst to the order of an epoch.
func (b *minibatches) shuffle(dst []int, epoch int) {
	copy(dst, b.data.Rows)
	r := rng.New(b.seed, rng.Minibatch, 0, uint64(epoch)).Rand()
	r.Shuffle(len(dst), func(i, j int) { dst[i], dst[j] = dst[j], dst[i] })
}

// foresee begins to make the order of the next epoch, which takes time if there are many samples.
func (b *minibatches) foresee() {
	if b.made != nil {
		return
	}
	if b.after == nil {
		b.after = make([]int, len(b.order))
	}
	b.later, b.made = b.epoch+1, make(chan struct{})
	go func(dst []int, epoch int, made chan struct{}) {
		b.shuffle(dst, epoch)
		close(made)
	}(b.after, b.later, b.made)
}

// take makes the batch of an update, numbered from 0.
func (b *minibatches) take(update int) {
	lo, hi, _ := b.cut(update)
	rows := b.order[lo:hi]
	clear(b.weight)
	b.filled = len(rows)
	for i, k := range rows {
		b.states.CopyRow(i, b.data.States, k)
		b.weight[i] = b.data.weight(k)
	}
	divideByLargest(b.weight) // so that float32 can hold them together
}

// Split holds out a fraction of n samples, chosen at random. Both lists are in increasing order.
func Split(n int, share float64, seed uint64) (train, valid []int, err error) {
	held := int(math.Round(share * float64(n)))
	if !(share >= 0 && share < 1) || held >= n {
		return nil, nil, fmt.Errorf("a fraction of %g of %d samples held out: "+
			"expected at least 0, with some samples left to learn from", share, n)
	}
	out := make([]bool, n)
	for _, k := range rng.New(seed, rng.Split, 0, 0).Rand().Perm(n)[:held] {
		out[k] = true
	}
	for k := range n {
		if out[k] {
			valid = append(valid, k)
		} else {
			train = append(train, k)
		}
	}
	return train, valid, nil
}
