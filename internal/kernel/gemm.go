package kernel

// gemmRows is the number of rows of the micro-kernel, gemmDepth the largest number of terms added between two accesses
// to the result, and gemmBlock the number of rows packed at a time: a panel of sixteen columns stays in the
// first-level cache and a block of rows in the second. None of them changes the order of a sum.
const (
	gemmRows  = 6
	gemmDepth = 400
	gemmBlock = 16 * gemmRows
)

// Dense is a float32 matrix stored for products from the left, in tiles of sixteen columns.
type Dense struct {
	Rows, Cols int

	tiles []float32 // [tile][row][16]
}

// NewDense returns a matrix of zeros.
func NewDense(rows, cols int) *Dense {
	return &Dense{Rows: rows, Cols: cols, tiles: make([]float32, pad(cols, tile)*rows)}
}

// Set takes the numbers from a view with the same rows and columns.
func (d *Dense) Set(m View) {
	for j := 0; j < d.Cols; j += tile {
		narrowTile(d.tiles[j*d.Rows:], m.from(0, j), d.Rows, min(tile, d.Cols-j))
	}
}

// SetRows takes the numbers from rows of float32 that are stride apart.
func (d *Dense) SetRows(m []float32, stride int) {
	for t := 0; t < d.Cols; t += tile {
		to := d.tiles[t*d.Rows:]
		n := min(tile, d.Cols-t)
		for i := range d.Rows {
			copy(to[i*tile:][:n], m[i*stride+t:])
		}
	}
}

// Left is the left factor of a product: element (i, k) is Data[i*Row+k*Step], so that a batch of chains and its
// transpose are two views of one slice.
type Left struct {
	Data      []float32
	Row, Step int
}

// GEMM multiplies matrices. It holds the packed copy of a block of the left factor, so every worker needs its own.
type GEMM struct {
	packed []float32 // [panel][k][6], and two numbers that packing may overwrite
	edge   [gemmRows * tile]float32
}

// NewGEMM returns a GEMM for matrices of any size.
func NewGEMM() *GEMM { return &GEMM{packed: make([]float32, gemmBlock*gemmDepth+2)} }

// AddProduct adds the product of the first n rows of a with d to dst, whose rows are stride apart:
//
//	for i := range n {
//		for j := range d.Cols {
//			for k := range d.Rows {
//				dst[i*stride+j] = fma(a(i, k), d(k, j), dst[i*stride+j])
//			}
//		}
//	}
//
// The order of a sum is that of k and nothing else, so a row has the same result in whatever batch it comes.
func (g *GEMM) AddProduct(dst []float32, stride int, a Left, n int, d *Dense) {
	if d.Rows == 0 {
		return
	}
	pieces := (d.Rows + gemmDepth - 1) / gemmDepth
	piece := (d.Rows + pieces - 1) / pieces // nearly equal lengths, none very short
	for from := 0; from < d.Rows; from += piece {
		depth := min(piece, d.Rows-from)
		for first := 0; first < n; first += gemmBlock {
			rows := min(gemmBlock, n-first)
			for i := 0; i < rows; i += gemmRows {
				packPanel(g.packed[i*depth:], a.Data[(first+i)*a.Row+from*a.Step:], a.Row, a.Step,
					min(gemmRows, rows-i), depth)
			}
			t := 0
			for ; vector512 && t+2*tile <= d.Cols; t += 2 * tile {
				g.addPanels(dst[first*stride+t:], stride, rows, depth, d.tiles[t*d.Rows+from*tile:],
					d.tiles[(t+tile)*d.Rows+from*tile:])
			}
			for ; t < d.Cols; t += tile {
				panel := d.tiles[t*d.Rows+from*tile:][:depth*tile]
				for i := 0; i < rows; i += gemmRows {
					to := dst[(first+i)*stride+t:]
					g.addPanel(to, stride, g.packed[i*depth:], panel, min(gemmRows, rows-i), min(tile, d.Cols-t))
				}
			}
		}
	}
}

// addPanels adds the products of all packed rows and two panels of columns to c.
func (g *GEMM) addPanels(c []float32, stride, rows, depth int, b0, b1 []float32) {
	b0, b1 = b0[:depth*tile], b1[:depth*tile]
	i := 0
	for ; i+2*gemmRows <= rows; i += 2 * gemmRows {
		to, a0, a1 := c[i*stride:], g.packed[i*depth:], g.packed[(i+gemmRows)*depth:]
		_, _, _ = to[(2*gemmRows-1)*stride+2*tile-1], a0[gemmRows*depth-1], a1[gemmRows*depth-1]
		gemmAVX512(&to[0], 4*stride, &a0[0], &a1[0], &b0[0], &b1[0], depth)
	}
	for ; i < rows; i += gemmRows {
		g.addPanel(c[i*stride:], stride, g.packed[i*depth:], b0, min(gemmRows, rows-i), tile)
		g.addPanel(c[i*stride+tile:], stride, g.packed[i*depth:], b1, min(gemmRows, rows-i), tile)
	}
}

// addPanel adds the product of two panels to rows by cols numbers of c.
func (g *GEMM) addPanel(c []float32, stride int, a, b []float32, rows, cols int) {
	if rows == gemmRows && cols == tile {
		addTile(c, stride, a, b)
		return
	}
	for i := range rows {
		copy(g.edge[i*tile:][:cols], c[i*stride:])
	}
	addTile(g.edge[:], tile, a, b)
	for i := range rows {
		copy(c[i*stride:][:cols], g.edge[i*tile:])
	}
}

// addTile adds the product of a packed panel of six rows and one of sixteen columns to c, whose rows are stride apart:
//
//	for k := range len(b) / 16 {
//		for i := range 6 {
//			for j := range 16 {
//				c[i*stride+j] = fma(a[6*k+i], b[16*k+j], c[i*stride+j])
//			}
//		}
//	}
func addTile(c []float32, stride int, a, b []float32) {
	if !vector {
		addTileGo(c, stride, a, b)
		return
	}
	n := len(b) / tile
	if n > 0 {
		_, _ = c[(gemmRows-1)*stride+tile-1], a[gemmRows*n-1]
		gemmAVX2(&c[0], 4*stride, &a[0], &b[0], n)
	}
}

// addTileGo adds the product of a packed panel of six rows and one of sixteen columns to c, whose rows are stride
// apart:
//
//	for k := range len(b) / 16 {
//		for i := range 6 {
//			for j := range 16 {
//				c[i*stride+j] = fma(a[6*k+i], b[16*k+j], c[i*stride+j])
//			}
//		}
//	}
func addTileGo(c []float32, stride int, a, b []float32) {
	for i := range gemmRows {
		to := c[i*stride:][:tile]
		for k := range len(b) / tile {
			x := a[gemmRows*k+i]
			for j, y := range b[k*tile:][:tile] {
				to[j] = fma32(x, y, to[j])
			}
		}
	}
}
