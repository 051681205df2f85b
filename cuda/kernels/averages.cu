// Averages over a batch of configurations: ⟨h⟩ from the means of the hidden units, ⟨v⟩ from counts, and ⟨vh⟩ as a
// product of the transposed bits of v with the means in fixed point.

struct Transpose {
	const u32 *in;
	const int *order; // if not null, row k is row order[k] of in
	const int *first; // where the order begins, if not null
	u32 *rows;		  // if not null, the rows as they are
	u32 *out;
	int *totals, *need; // of the means that follow, to be cleared
	int count, inStride, rowStride, outStride, words, positions, needs, pad; // words of a row; lengths of totals and need
};

// transpose turns rows of bits into a row of bits per position; one warp for 32×32 bits.
extern "C" __global__ void transpose(const __grid_constant__ Pair<Transpose> both) {
	int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	const int first = both.of[0].words * both.of[0].outStride;
	const Transpose &p = both.of[warp >= first];
	if (warp >= first) warp -= first;
	if (p.words == 0) return; // there is no second one
	const int all = p.words * p.outStride * 32;
	for (int k = warp * 32 + lane; k < p.positions; k += all) p.totals[k] = 0;
	for (int k = warp * 32 + lane; k < p.needs; k += all) p.need[k] = 0;
	int word = warp % p.words, group = warp / p.words, row = group * 32 + lane;
	if (group >= p.outStride) return;
	u32 x = 0;
	if (row < p.count) {
		size_t from = p.order ? (size_t)p.order[(p.first ? *p.first : 0) + row] : (size_t)row;
		x = p.in[from * p.inStride + word];
		if (p.rows) p.rows[(size_t)row * p.rowStride + word] = x;
	}
	u32 mine = 0;
#pragma unroll
	for (int b = 0; b < 32; b++) {
		u32 all = __ballot_sync(0xffffffffu, x >> b & 1);
		if (lane == b) mine = all;
	}
	p.out[(size_t)(word * 32 + lane) * p.outStride + group] = mine;
}

// means turns fields into means. A block of threads has 32 columns, one per lane, and 32 rows per warp.
extern "C" __global__ void means(const __grid_constant__ Pair<Means> both) {
	SHARED(shared);
	float *all = (float *)shared; // [256][33]
	int blocks = both.of[0].positions / 32, first = blocks * ((both.of[0].rows + MEAN_ROWS - 1) / MEAN_ROWS);
	const bool second = blockIdx.x >= first;
	const Means &p = both.of[second];
	int block = blockIdx.x - (second ? first : 0);
	int column = block % blocks, group = block / blocks;
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, j = column * 32 + lane;
	int chunk = group * 8 + warp, count = p.count ? *p.count : p.rows;
	const int shift = p.count ? shift_of_count(count) : p.shift;
	float scale = *p.scale, unit = (float)power(shift);
	int value[32];
#pragma unroll
	for (int k = 0; k < 32; k++) {
		int row = chunk * 32 + k;
		float m = row < p.rows ? mean_of(p, p.fields[(size_t)row * p.stride + j], row, scale, count) : 0;
		all[(warp * 32 + k) * 33 + lane] = m;
		value[k] = __float2int_rn(m * unit);
	}
	if (chunk < p.chunks) store_means(p, value, chunk, j, shift);
	__syncthreads();
	if (warp == 0) {
		double sum = 0;
		int last = min(MEAN_ROWS, p.rows - group * MEAN_ROWS);
#pragma unroll 16
		for (int k = 0; k < last; k++) sum += (double)all[k * 33 + lane];
		p.sums[(size_t)group * p.positions + j] = sum;
	}
}

struct Finish {
	const double *sums; // of blocks of rows
	const int *totals;
	const u32 *bits; // transposed, of the visible units
	const int *count;
	double *h, *v;
	int *base;	  // of the product of bits and means
	float *scale; // of that product
	double weight; // of all rows, if count is null
	int groups, hidden, visible, words, rows, spin, shift, pad; // positions; spin: of the visible units
};

// finish divides the sums by the number of rows, and prepares the product.
extern "C" __global__ void finish(const __grid_constant__ Pair<Finish> both) {
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	const int first = (both.of[0].hidden + 31) / 32 * 32 + 32 * both.of[0].visible;
	const Finish &p = both.of[k >= first];
	if (k >= first) k -= first;
	if (p.scale == nullptr) return; // there is no second one
	int count = p.count ? *p.count : p.rows;
	double weight = p.count ? (double)count : p.weight, part = 1 / weight;
	if (k == 0) *p.scale = (float)power(p.count ? -shift_of_count(count) : -p.shift) * (p.spin ? 2.0f : 1.0f);
	if (k < p.hidden) {
		double sum = 0;
		for (int g = 0; g < p.groups; g++) sum += p.sums[(size_t)g * p.hidden + k];
		p.h[k] = sum * part;
		p.base[k] = p.spin ? (0 - p.totals[k]) >> 1 : 0;
	}
	k -= (p.hidden + 31) / 32 * 32;
	int i = k / 32, lane = threadIdx.x % 32; // a warp for each visible position
	if (k < 0 || i >= p.visible) return;
	int up = 0;
	for (int w = lane; w < p.words; w += 32) {
		int left = count - w * 32;
		u32 mask = left >= 32 ? 0xffffffffu : left > 0 ? (1u << left) - 1 : 0;
		up += __popc(p.bits[(size_t)i * p.words + w] & mask);
	}
	for (int step = 16; step; step /= 2) up += __shfl_xor_sync(0xffffffffu, up, step);
	if (lane == 0) p.v[i] = (p.spin ? 2.0 * up - weight : (double)up) * part;
}
