package jump

import (
	"math"

	"instanton/batch"
	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/unit"
)

// panel is six outputs of a network, with the weights of the inputs that all of them see.
type panel struct {
	from    int       // first output
	senders int       // that all see
	weights []float32 // [sender][6]
}

// packed holds the direct links of a network for draws.
type packed struct {
	direct []panel // of outputs, from inputs
	each   int     // panels of each unit, or 0 if a panel holds several units
}

// seal prepares the weights for draws, after every change of the parameters.
func (n *Network) seal() {
	p := &packed{}
	in, out := n.head.in(), n.head.out()
	add := func(from, to, i int) {
		p.direct = append(p.direct, newPanel(n.direct, n.outputs(), from, to, i*in))
	}
	if out == 1 {
		for i := 0; i < n.spec.N; i += kernel.PanelRows {
			add(i, min(i+kernel.PanelRows, n.spec.N), i)
		}
	} else {
		p.each = (out + kernel.PanelRows - 1) / kernel.PanelRows
		for i := range n.spec.N {
			for o := 0; o < out; o += kernel.PanelRows {
				add(i*out+o, i*out+min(o+kernel.PanelRows, out), i)
			}
		}
	}
	n.packed = p
}

// newPanel packs the weights to outputs from to to−1.
func newPanel(w []float32, receivers, from, to, senders int) panel {
	p := panel{from: from, senders: senders, weights: make([]float32, senders*kernel.PanelRows)}
	for k := range senders {
		copy(p.weights[k*kernel.PanelRows:], w[k*receivers+from:k*receivers+to])
	}
	return p
}

// networkDrawer draws and scores with a network, sixteen configurations side by side. Both are the same computation,
// so log q of a draw is the same number, to the last bit, as that of the configuration.
type networkDrawer struct {
	of     *Network
	x      []float32 // features, [channel][lane]
	a      []float32 // hidden units, [unit][lane]
	out    []float32 // outputs of the current panels
	value  [lanes]float32
	p      [lanes]float64 // probability since the last logarithm
	logs   [lanes]float64
	words  []uint32 // [word][lane]
	stream []uint32 // words of one configuration
}

func (d *networkDrawer) Draw(dst *unit.States, to int, logq []float64, s batch.Stream) {
	for k := 0; k < len(logq); k += lanes {
		rows := min(lanes, len(logq)-k)
		at := s
		at.Chain += uint32(k)
		d.prepare()
		d.fill(rows, at)
		d.run(dst, to+k, logq[k:k+rows], true)
	}
}

func (d *networkDrawer) Score(logq []float64, x *unit.States, from int) {
	for k := 0; k < len(logq); k += lanes {
		d.prepare()
		d.run(x, from+k, logq[k:min(k+lanes, len(logq))], false)
	}
}

// prepare allocates memory at the first call.
func (d *networkDrawer) prepare() {
	if d.x != nil {
		return
	}
	n := d.of
	width := max(kernel.PanelRows, (n.head.out()+kernel.PanelRows-1)/kernel.PanelRows*kernel.PanelRows)
	d.x = make([]float32, n.inputs()*lanes)
	d.a = make([]float32, n.hidden*lanes)
	d.out = make([]float32, width*lanes)
	words := (n.spec.N*n.head.words() + 3) &^ 3
	d.words, d.stream = make([]uint32, words*lanes), make([]uint32, words)
}

// fill computes the random words of the lanes.
func (d *networkDrawer) fill(rows int, s batch.Stream) {
	for c := range rows {
		r := rng.New(s.Seed, rng.Propose, s.Chain+uint32(c), s.Sweep)
		kernel.Words(d.stream, kernel.Stream{Key: r.Key(), Counter: r.Counter()})
		for i, w := range d.stream {
			d.words[i*lanes+c] = w
		}
	}
}

// run goes through the units in order: the outputs of a unit, its value, which is drawn or read, and what the hidden
// units receive from it.
func (d *networkDrawer) run(x *unit.States, at int, logq []float64, draw bool) {
	n, p, h := d.of, d.of.packed, d.of.head
	in, words := h.in(), h.words()
	rows := len(logq)
	for c := range lanes {
		d.p[c], d.logs[c] = 1, 0
	}
	startHidden(d.a, n.bias)
	for i := range n.spec.N {
		out := d.outputs(p, i)
		if draw {
			h.draw(d.value[:], i, out, d.words[i*words*lanes:(i+1)*words*lanes])
			store(x, at, rows, i, d.value[:])
		} else {
			read(d.value[:], x, at, rows, i)
		}
		h.score(d.p[:], d.logs[:], i, d.value[:], out)
		if i%8 == 7 || i == n.spec.N-1 {
			for c := range rows {
				d.logs[c] += math.Log(d.p[c])
				d.p[c] = 1
			}
		}
		h.encode(d.x[i*in*lanes:(i+1)*in*lanes], i, d.value[:])
		if i+1 < n.spec.N {
			n.receive(d.a, d.x, i)
		}
	}
	copy(logq, d.logs[:rows])
}

// startHidden sets hidden units to their biases, in all lanes.
func startHidden(a, bias []float32) {
	for j, b := range bias {
		row := a[j*lanes:][:lanes]
		for c := range row {
			row[c] = b
		}
	}
}

// receive adds what the hidden units get from unit i, given the features of all units.
func (n *Network) receive(a, x []float32, i int) {
	if n.hidden == 0 {
		return
	}
	for k := i * n.head.in(); k < (i+1)*n.head.in(); k++ {
		kernel.NADEInput(a, n.first[k*n.hidden:(k+1)*n.hidden], x[k*lanes:(k+1)*lanes])
	}
}

// act adds what the outputs of unit i get from the hidden units.
func (n *Network) act(z, a []float32, i int) {
	if n.hidden == 0 {
		return
	}
	for o := range n.head.out() {
		at := (i*n.head.out() + o) * n.hidden
		kernel.NADEOutput(z[o*lanes:(o+1)*lanes], a, n.second[at:at+n.hidden])
	}
}

// outputs returns the outputs of unit i, one lane after the other.
func (d *networkDrawer) outputs(p *packed, i int) []float32 {
	n := d.of
	in := n.head.in()
	if p.each > 0 { // panels of its own
		for k := range p.each {
			d.sum(p, i*p.each+k, d.out[k*kernel.PanelRows*lanes:])
		}
		out := d.out[:n.head.out()*lanes]
		n.act(out, d.a, i)
		return out
	}
	row := i % kernel.PanelRows
	if row == 0 {
		d.sum(p, i/kernel.PanelRows, d.out)
	}
	out := d.out[row*lanes:][:lanes]
	for k := (i - row) * in; k < i*in; k++ { // what the earlier units of the panel do not see
		addTo(out, n.direct[k*n.outputs()+i], d.x[k*lanes:])
	}
	n.act(out, d.a, i)
	return out
}

// sum sets outputs to their biases and what they receive from the inputs that all of them see.
func (d *networkDrawer) sum(p *packed, k int, to []float32) {
	direct := &p.direct[k]
	for r := range kernel.PanelRows {
		var bias float32
		if o := direct.from + r; o < len(d.of.output) {
			bias = d.of.output[o]
		}
		row := to[r*lanes:][:lanes]
		for c := range row {
			row[c] = bias
		}
	}
	kernel.AddPanels(to, direct.weights, d.x[:direct.senders*lanes])
}

// addTo adds w·x to the lanes of dst.
func addTo(dst []float32, w float32, x []float32) {
	to, from := (*[lanes]float32)(dst), (*[lanes]float32)(x)
	for c := range to {
		to[c] += float32(w * from[c])
	}
}

// store sets unit i of rows to values: numbers of states, or real values.
func store(x *unit.States, at, rows, i int, value []float32) {
	switch {
	case x.Bits != nil:
		shift := i & 63
		for c := range rows {
			word := &x.Bits[(at+c)*x.Stride+i>>6]
			*word = *word&^(1<<shift) | uint64(value[c])<<shift
		}
	case x.Codes != nil:
		for c := range rows {
			x.Codes[(at+c)*x.Stride+i] = uint8(value[c])
		}
	default:
		for c := range rows {
			x.Reals[(at+c)*x.Stride+i] = value[c]
		}
	}
}

// read is the inverse of store; lanes beyond the rows repeat the last.
func read(value []float32, x *unit.States, at, rows, i int) {
	switch {
	case x.Bits != nil:
		for c := range rows {
			value[c] = float32(x.Bits[(at+c)*x.Stride+i>>6] >> (i & 63) & 1)
		}
	case x.Codes != nil:
		for c := range rows {
			value[c] = float32(x.Codes[(at+c)*x.Stride+i])
		}
	default:
		for c := range rows {
			value[c] = x.Reals[(at+c)*x.Stride+i]
		}
	}
	for c := rows; c < lanes; c++ {
		value[c] = value[rows-1]
	}
}

// readRow reads all units of one configuration.
func readRow(value []float32, x *unit.States, k int) {
	switch {
	case x.Bits != nil:
		row := x.BitRow(k)
		for i := range value {
			value[i] = float32(row[i>>6] >> (i & 63) & 1)
		}
	case x.Codes != nil:
		for i, a := range x.CodeRow(k) {
			value[i] = float32(a)
		}
	default:
		copy(value, x.RealRow(k))
	}
}
