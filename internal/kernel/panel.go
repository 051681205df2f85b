package kernel

// PanelRows and PanelCols are the sizes of the panels of AddPanels.
const (
	PanelRows = gemmRows
	PanelCols = tile
)

// AddPanels adds the product of two packed panels, one of six rows and one of sixteen columns, to six rows of sixteen
// numbers:
//
//	for k := range len(b) / 16 {
//		for i := range 6 {
//			for j := range 16 {
//				c[16*i+j] = fma(a[6*k+i], b[16*k+j], c[16*i+j])
//			}
//		}
//	}
//
// It is for products whose right factor grows step by step, so that it cannot be a Dense.
func AddPanels(c, a, b []float32) { addTile(c, tile, a, b) }
