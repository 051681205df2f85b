package kernel

// packPanel packs up to six rows, those that are missing as zeros. It may write two numbers more:
//
//	for k := range depth {
//		for i := range rows {
//			dst[6*k+i] = src[i*row+k*step]
//		}
//	}
func packPanel(dst, src []float32, row, step, rows, depth int) {
	done := 0
	if vector && rows == gemmRows && depth > 0 {
		_, _ = dst[gemmRows*depth+1], src[(rows-1)*row+(depth-1)*step]
		switch {
		case step == 1:
			done = depth &^ 7
			packRowsAVX2(&dst[0], &src[0], 4*row, done/8)
		case row == 1:
			done = depth
			packColumnsAVX2(&dst[0], &src[0], 4*step, done)
		}
	}
	if done < depth {
		packPanelGo(dst[gemmRows*done:], src[done*step:], row, step, rows, depth-done)
	}
}

// packPanelGo packs up to six rows, those that are missing as zeros:
//
//	for k := range depth {
//		for i := range rows {
//			dst[6*k+i] = src[i*row+k*step]
//		}
//	}
func packPanelGo(dst, src []float32, row, step, rows, depth int) {
	for k := range depth {
		to := dst[gemmRows*k:][:gemmRows]
		for i := range to {
			to[i] = 0
			if i < rows {
				to[i] = src[i*row+k*step]
			}
		}
	}
}
