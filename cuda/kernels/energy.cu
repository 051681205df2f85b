// Energies of configurations with the weights of the chains, as package batch computes them: log 2cosh or log(1+eˣ) of
// the hidden units by products with separate exponents, whose logarithm the host takes.

struct Energies {
	const int *fields; // of the hidden units
	const float *scale;
	const u32 *v;
	const double *visible; // fields of the visible units
	double *product, *linear, *potential; // of each row
	long long *exponent;
	Layer layer; // of the visible units
	int rows, units, stride, vStride, spin, pad;
	double series[13]; // (log 2)^k/k!
	double rate;	   // log2(e), or twice that for spins
};

__device__ __forceinline__ double exp2_double(const double *series, double d) {
	d = fmax(d, -1000.0);
	double n = rint(d), f = d - n, p = series[12];
#pragma unroll
	for (int k = 11; k >= 0; k--) p = __fma_rn(p, f, series[k]);
	return __longlong_as_double(__double_as_longlong(p) + ((long long)n << 52));
}

// energies sums a configuration per thread, in the order of the units.
extern "C" __global__ void energies(const __grid_constant__ Energies p) {
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= p.rows) return;
	double scale = (double)*p.scale, product = 1, size[4] = {0, 0, 0, 0}, plain[4] = {0, 0, 0, 0};
	long long exponent = 0;
	const int *fields = p.fields + (size_t)row * p.stride;
	for (int i = 0; i < p.units; i++) {
		double x = (double)fields[i] * scale, a = fabs(x);
		product *= exp2_double(p.series, -p.rate * a) + 1;
		size[i % 4] += a;
		plain[i % 4] += x;
		if (i % 8 == 7 || i == p.units - 1) {
			long long bits = __double_as_longlong(product);
			product = __longlong_as_double((bits & ((1ll << 52) - 1)) | (1023ll << 52));
			exponent += bits >> 52;
		}
	}
	double linear = (size[0] + size[1]) + (size[2] + size[3]);
	if (!p.spin) linear = (linear + ((plain[0] + plain[1]) + (plain[2] + plain[3]))) / 2;
	p.product[row] = product, p.exponent[row] = exponent, p.linear[row] = linear;
	double sum = 0;
	for (int w = 0; w < p.layer.positions / 32; w++)
		for (u32 x = p.v[(size_t)row * p.vStride + w]; x; x &= x - 1) {
			int position = w * 32 + __ffs(x) - 1;
			sum += p.visible[channel_at(p.layer, position)];
		}
	p.potential[row] = sum;
}
