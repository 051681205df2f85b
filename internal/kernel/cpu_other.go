//go:build !amd64 || noasm

package kernel

// vector and vector512 are false where there is no assembly: none of the functions below is reached. The two that
// measure the peak do not panic, so that the compiler keeps the loop around them.
const vector, vector512 = false, false

func philoxAVX2(*uint32, *[2]uint32, *[4]uint32, int)                                { panic(noVector) }
func philoxLanesAVX2(*uint32, *[2]uint32, *[4]uint32, int)                           { panic(noVector) }
func drawBitsAVX2(*uint32, *float32, int, float32, *uint32, int)                     { panic(noVector) }
func drawBitsFixedAVX2(*uint32, *int32, int, float32, *uint32, int)                  { panic(noVector) }
func philoxAVX512(*uint32, *[2]uint32, *[4]uint32, int)                              { panic(noVector) }
func drawBitsAVX512(*uint32, *float32, int, float32, *uint32, int)                   { panic(noVector) }
func drawBitsFixedAVX512(*uint32, *int32, int, float32, *uint32, int)                { panic(noVector) }
func subsetSumsAVX2(_, _ *int32, _ int)                                              { panic(noVector) }
func addSubsets4AVX2(_, _ *int32, _ int, _ *int32, _ *uint64, _, _ int)              { panic(noVector) }
func addSubsets7AVX2(_, _ *int32, _ int, _ *int32, _ *uint64, _, _ int)              { panic(noVector) }
func addSubsets10AVX2(_, _ *int32, _ int, _ *int32, _ *uint64, _, _ int)             { panic(noVector) }
func addSubsets13AVX2(_, _ *int32, _ int, _ *int32, _ *uint64, _, _ int)             { panic(noVector) }
func subsetSumsAVX512(_, _ *int32, _ int)                                            { panic(noVector) }
func addSubsets4AVX512(_, _ *int32, _ int, _ *int32, _ *uint64, _, _ int)            { panic(noVector) }
func addSubsets7AVX512(_, _ *int32, _ int, _ *int32, _ *uint64, _, _ int)            { panic(noVector) }
func addSubsets10AVX512(_, _ *int32, _ int, _ *int32, _ *uint64, _, _ int)           { panic(noVector) }
func addSubsets13AVX512(_, _ *int32, _ int, _ *int32, _ *uint64, _, _ int)           { panic(noVector) }
func addRowsAVX512(_, _ *int32, _ *uint32, _ *[2]uint32, _ int)                      { panic(noVector) }
func addRowsAVX2(_, _ *int32, _ *uint32, _ *[2]uint32, _ int)                        { panic(noVector) }
func gemmAVX2(_ *float32, _ int, _, _ *float32, _ int)                               { panic(noVector) }
func packRowsAVX2(_, _ *float32, _, _ int)                                           { panic(noVector) }
func packColumnsAVX2(_, _ *float32, _, _ int)                                        { panic(noVector) }
func gemmAVX512(_ *float32, _ int, _, _, _, _ *float32, _ int)                       { panic(noVector) }
func fmaPeakAVX512(int)                                                              {}
func fmaPeakAVX2(int)                                                                {}
func drawNormalAVX2(_, _, _, _, _ *float32, _ *uint32, _ int)                        { panic(noVector) }
func drawHalfAVX2(_, _, _, _ *float32, _ *uint32, _ int)                             { panic(noVector) }
func drawDoubleAVX2(_, _, _, _, _, _, _ *float32, _ *uint32, _ int)                  { panic(noVector) }
func realsAVX2(*float32, int, *int32, int, float32)                                  { panic(noVector) }
func lanesFixedAVX2(*float32, *int32, int, int, int, float32)                        { panic(noVector) }
func lanesAVX2(*float32, *float32, int, int, int, float32)                           { panic(noVector) }
func categoricalAVX2(*uint8, int, *float32, int, *uint32, *float32, int)             { panic(noVector) }
func foldAVX2(*float64, *uint32, *float64, *float64, *[12]float64, float64, int)     { panic(noVector) }
func foldAVX512(*float64, *uint32, *float64, *float64, *[12]float64, float64, int)   { panic(noVector) }
func coshTotalAVX2(*float64, *int64, *float64, *float64, *[12]float64, float64, int) { panic(noVector) }
func coshTotalAVX512(*float64, *int64, *float64, *float64, *[12]float64, float64, int) {
	panic(noVector)
}
func coshProduct8AVX2(*float64, *int64, *float64, *uint32, *float64, int, int)    { panic(noVector) }
func coshProduct16AVX2(*float64, *int64, *float64, *uint32, *float64, int, int)   { panic(noVector) }
func coshProduct24AVX2(*float64, *int64, *float64, *uint32, *float64, int, int)   { panic(noVector) }
func coshProduct8AVX512(*float64, *int64, *float64, *uint32, *float64, int, int)  { panic(noVector) }
func coshProduct16AVX512(*float64, *int64, *float64, *uint32, *float64, int, int) { panic(noVector) }
func coshProduct24AVX512(*float64, *int64, *float64, *uint32, *float64, int, int) { panic(noVector) }
func coshProduct32AVX512(*float64, *int64, *float64, *uint32, *float64, int, int) { panic(noVector) }
func addTimesAVX2(_, _, _ *float64, _ float64, _ int)                             { panic(noVector) }
func mixtureProductAVX2(*float64, *int64, *float64, *float64, int, int, int)      { panic(noVector) }
func quantiseRowsAVX2(*int32, *float64, int, int, float64)                        { panic(noVector) }
func narrowRowsAVX2(*float32, *float64, int, int)                                 { panic(noVector) }
func quantiseColumnsAVX2(*int32, *float64, int, int, float64)                     { panic(noVector) }
func narrowColumnsAVX2(*float32, *float64, int, int)                              { panic(noVector) }
func quantiseFloatsAVX2(*int32, *float32, int, int, float32)                      { panic(noVector) }
func addAbsAVX2(_, _ *float64, _ int)                                             { panic(noVector) }
func maxAbsAVX2(_, _ *float64, _ int)                                             { panic(noVector) }
func logisticAVX2(*float32, int)                                                  { panic(noVector) }
func tanhAVX2(*float32, int)                                                      { panic(noVector) }
func addColumnsAVX2(*float64, *float32, int)                                      { panic(noVector) }
func rmspropAVX2(_, _ *float64, _ int, _, _, _, _, _ float64)                     { panic(noVector) }
func cubicsAVX2(_, _, _ *float64, _, _ int)                                       { panic(noVector) }
func addParabolaAVX2(_, _ *float64, _ int)                                        { panic(noVector) }
func subtractMaxAVX2(*[4]float64, *float64, *float64, int)                        { panic(noVector) }
func exponentialsAVX2(_, _ *float64, _, _ float64, _ int)                         { panic(noVector) }
func piecesAVX2(_, _, _ *float64, _ float64, _ int)                               { panic(noVector) }
func addTilesAVX2(*float64, *int32, int, int, float64)                            { panic(noVector) }
func logisticWeightsAVX2(_, _ *int32, _ int, _ float32, _ *float32, _ float32, _ *[16]float64) {
	panic(noVector)
}
func tanhWeightsAVX2(_, _ *int32, _ int, _ float32, _ *float32, _ float32, _ *[16]float64) {
	panic(noVector)
}
func logisticWeightsAVX512(_, _ *int32, _ int, _ float32, _ *float32, _ float32, _ *[16]float64) {
	panic(noVector)
}
func tanhWeightsAVX512(_, _ *int32, _ int, _ float32, _ *float32, _ float32, _ *[16]float64) {
	panic(noVector)
}
func adamAVX2(_, _, _ *float64, _ int, _, _, _, _, _, _, _, _ float64)            { panic(noVector) }
func momentumAVX2(_, _ *float64, _ int, _, _ float64)                             { panic(noVector) }
func clipAVX2(_ *float64, _ int, _, _ float64)                                    { panic(noVector) }
func centreAVX2(_, _, _ *float64, _ int, _, _ float64)                            { panic(noVector) }
func advanceAVX2(_, _ *float64, _ int, _ *[4]float64)                             { panic(noVector) }
func compensateAVX2(_, _, _ *float64, _ int, _ float64, _ *[4]float64)            { panic(noVector) }
func squaresAVX2(_ *float64, _ int, _ *[4]float64)                                { panic(noVector) }
func absoluteSumsAVX2(_, _ *float64, _ int, _ *[4]float64)                        { panic(noVector) }
func nadeOutputAVX2(_, _, _ *float32, _ int)                                      { panic(noVector) }
func nadeOutputAVX512(_, _, _ *float32, _ int)                                    { panic(noVector) }
func nadeInputAVX2(_, _, _ *float32, _ int)                                       { panic(noVector) }
func nadeInputAVX512(_, _, _ *float32, _ int)                                     { panic(noVector) }
func nadeBackAVX2(_, _, _, _, _, _ *float32, _ int, _, _ *float32, _, _, _ int)   { panic(noVector) }
func nadeBackAVX512(_, _, _, _, _, _ *float32, _ int, _, _ *float32, _, _, _ int) { panic(noVector) }
func adamFloatsAVX2(_, _, _, _ *float32, _ int, _, _, _, _, _, _, _, _ float32)   { panic(noVector) }
func adamFloatsAVX512(_, _, _, _ *float32, _ int, _, _, _, _, _, _, _, _ float32) { panic(noVector) }

const noVector = "kernel: assembly called on a processor without it"
