// Package kernel provides the hot loops: random words, fields of bit-packed and Potts layers, draws, matrix products
// and the sums of latent moves. It works on plain slices and knows nothing about models.
//
// Every loop exists twice: in assembly, for AVX2 and partly also for AVX-512, and as a portable Go twin, which is used
// on other processors and with the build tag noasm. The two agree to the last bit, so that a sample does not depend on
// the machine that drew it:
//
//   - fields of discrete layers are sums of 32-bit integers, whose order does not matter, so every way of computing
//     them gives the same number (see Weights);
//   - draws round after every product and every sum, without fusing them, in the order in which the twin is written;
//   - matrix products and latent sums use fused multiply-add in a fixed order, which the twins reproduce exactly.
//
// Fields are computed by NewWeights and Weights.Set, then NewFields and Fields.FromBits or Fields.FromCodes; units are
// drawn from them by Fields.DrawBits, Categorical, Normal, Half and Double. GEMM multiplies by a Dense matrix. LogSums
// sums cumulant generating functions.
//
// A field is stored in tiles of sixteen outputs, one 64-byte line per chain.
package kernel

//go:generate go -C asm run . -piece philox -pkg kernel -out ../philox_amd64.s -stubs ../philox_amd64.go
//go:generate go -C asm run . -piece fields -pkg kernel -out ../fields_amd64.s -stubs ../fields_amd64.go
//go:generate go -C asm run . -piece bits -pkg kernel -out ../bits_amd64.s -stubs ../bits_amd64.go
//go:generate go -C asm run . -piece gemm -pkg kernel -out ../gemm_amd64.s -stubs ../gemm_amd64.go
//go:generate go -C asm run . -piece reals -pkg kernel -out ../reals_amd64.s -stubs ../reals_amd64.go
//go:generate go -C asm run . -piece codes -pkg kernel -out ../codes_amd64.s -stubs ../codes_amd64.go
//go:generate go -C asm run . -piece latent -pkg kernel -out ../latent_amd64.s -stubs ../latent_amd64.go
//go:generate go -C asm run . -piece density -pkg kernel -out ../density_amd64.s -stubs ../density_amd64.go
//go:generate go -C asm run . -piece tiles -pkg kernel -out ../tiles_amd64.s -stubs ../tiles_amd64.go
//go:generate go -C asm run . -piece ascent -pkg kernel -out ../ascent_amd64.s -stubs ../ascent_amd64.go
//go:generate go -C asm run . -piece nade -pkg kernel -out ../nade_amd64.s -stubs ../nade_amd64.go
//go:generate go -C asm run . -piece means -pkg kernel -out ../means_amd64.s -stubs ../means_amd64.go
