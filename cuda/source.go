package cuda

import (
	_ "embed"
	"fmt"
)

// The kernels, in CUDA C.
var (
	//go:embed kernels/common.cu
	commonSource string
	//go:embed kernels/product.cu
	productSource string
	//go:embed kernels/weights.cu
	weightsSource string
	//go:embed kernels/averages.cu
	averagesSource string
	//go:embed kernels/step.cu
	stepSource string
	//go:embed kernels/energy.cu
	energySource string
	//go:embed kernels/reals.cu
	realsSource string
)

// arithmetic is the program of everything but products.
func arithmetic() string {
	return commonSource + weightsSource + averagesSource + stepSource + energySource + realsSource
}

// products is the program of products, whose macros are those of a shape.
func products() string { return commonSource + productSource }

// shape is how a product is divided among blocks of threads: a tile of rows and outputs for each, and warps along rows,
// outputs and inputs.
type shape struct {
	rows, outs             int
	warpsM, warpsN, warpsK int
	stages, blocks         int  // of the pipeline; blocks that should fit on a multiprocessor
	wide                   bool // with the instructions of Hopper
}

// shapes lists the divisions, the largest tiles first. Potts units need a tile of whole groups.
var shapes = []shape{
	{rows: 256, outs: 64, warpsM: 16, warpsN: 1, warpsK: 1, stages: 4, blocks: 1, wide: true},
	{rows: 128, outs: 64, warpsM: 8, warpsN: 1, warpsK: 1, stages: 3, blocks: 2, wide: true},
	{rows: 128, outs: 64, warpsM: 2, warpsN: 2, warpsK: 1, stages: 3, blocks: 2},
	{rows: 32, outs: 32, warpsM: 1, warpsN: 1, warpsK: 4, stages: 3, blocks: 4},
	{rows: 32, outs: 64, warpsM: 1, warpsN: 2, warpsK: 4, stages: 3, blocks: 2},
	{rows: 32, outs: 128, warpsM: 1, warpsN: 4, warpsK: 2, stages: 2, blocks: 1},
}

// widestGroup is the largest tile of outputs.
const widestGroup = 128

func (s shape) macros() []string {
	var list []string
	for _, m := range []struct {
		name  string
		value int
	}{{"ROWS", s.rows}, {"OUTS", s.outs}, {"WARPS_M", s.warpsM}, {"WARPS_N", s.warpsN}, {"WARPS_K", s.warpsK},
		{"STAGES", s.stages}, {"BLOCKS", s.blocks}} {
		list = append(list, fmt.Sprintf("%s=%d", m.name, m.value))
	}
	if s.wide {
		list = append(list, "WIDE")
	}
	return list
}

func (s shape) threads() int { return 32 * s.warpsM * s.warpsN * s.warpsK }

// shared is the shared memory of a block: the pipeline, or the staged fields and the bits drawn from them.
func (s shape) shared() int {
	const chunks = 4
	pipeline := s.stages * (16*s.rows + s.outs/32*chunks*4096)
	staged := 4*s.warpsK*s.rows*(s.outs+1) + s.rows*s.outs/8
	const reserved = 128 // for barriers
	return max(pipeline, staged) + reserved
}

// tiles is the number of blocks of threads for a number of rows and positions.
func (s shape) tiles(rows, positions int) int { return ceil(rows, s.rows) * ceil(positions, s.outs) }

// The shapes that Hopper takes: one whose tiles hold a whole block of sums, so that a product makes means itself, and
// one of which two blocks fit on a multiprocessor, so that one draws or stores while the other multiplies.
const (
	summing = 0
	paired  = 1
)

// chooseShape picks the shape for a product: elsewhere than on Hopper, the largest tiles that keep most multiprocessors
// busy.
func (g *GPU) chooseShape(rows int, layers ...layout) int {
	if g.shape == 0 && g.device.Architecture() == hopper && shapes[paired].fit(layers) {
		return paired
	}
	return g.choose(rows, layers)
}

// chooseMeans picks the shape for products that become means.
func (g *GPU) chooseMeans(rows int, hidden layout) int {
	if g.shape == 0 && g.device.Architecture() == hopper {
		return summing
	}
	return g.choose(rows, []layout{hidden})
}

// fit tells whether no group of the layers is divided.
func (s shape) fit(layers []layout) bool {
	for _, l := range layers {
		if s.outs%l.group != 0 {
			return false
		}
	}
	return true
}

// choose picks the first shape with enough tiles, or else the one with the most; it is −1 if none fits into the GPU.
func (g *GPU) choose(rows int, layers []layout) int {
	if g.shape > 0 {
		return g.shape - 1
	}
	best, most, enough := -1, 0, g.device.Processors()*7/10
	for k, s := range shapes {
		if s.wide && g.device.Architecture() != hopper || !s.fit(layers) || s.shared() > g.device.SharedMemory() {
			continue
		}
		least := 1 << 62
		for _, l := range layers {
			least = min(least, s.tiles(rows, l.positions))
		}
		if least >= enough {
			return k
		}
		if best < 0 || least > most {
			best, most = k, least
		}
	}
	return best
}

// hopper is the architecture with products of four warps.
const hopper = 90

func ceil(n, d int) int { return (n + d - 1) / d }
