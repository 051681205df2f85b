// Averages over a batch of configurations: ⟨h⟩ from the means of the hidden units, ⟨v⟩ from counts, and ⟨vh⟩ as a
// product of the transposed bits of v with the means in fixed point.

struct Transpose {
	const u32 *in;
	const int *order; // if not null, row k is row order[k] of in
	const int *first; // where the order begins, if not null
	u32 *rows;		  // if not null, the rows as they are
	u32 *out;
	int count, inStride, rowStride, outStride, words, pad; // words of a row
};

// transpose turns rows of bits into a row of bits per position; one warp for 32×32 bits.
extern "C" __global__ void transpose(const Transpose p) {
	int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	int word = warp % p.words, group = warp / p.words, row = group * 32 + lane;
	if (group * 32 >= p.outStride * 32) return;
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

struct Means {
	const int *fields;
	const float *scale;	  // of a field
	const float *weights; // of each row; if null, rows below count have one and others zero
	const int *count;	  // if not null, replaces the number of rows with weight one
	double *sums;		  // of each block of 256 rows, for each position
	int *totals;		  // Σ of the integers, for each position
	u8 *fragments;
	int *need; // digits beyond two, zero before
	int rows, stride, positions, chunks, spin, shift;
};

#define MEAN_ROWS 256

// shift_of_count is shift_for of a number of rows.
__device__ __forceinline__ int shift_of_count(int count) { return __clz(count) - 2; }

// means turns fields into means times weights, sums them over blocks of rows in order, and stores them as digits in
// fixed point. A block of threads has 32 columns, one per lane, and 32 rows per warp.
extern "C" __global__ void means(const Means p) {
	SHARED(shared);
	float *all = (float *)shared; // [256][33]
	int blocks = (p.positions + 31) / 32;
	int column = blockIdx.x % blocks, group = blockIdx.x / blocks;
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, j = column * 32 + lane;
	int chunk = group * 8 + warp, count = p.count ? *p.count : p.rows;
	float scale = *p.scale, unit = (float)power(p.count ? shift_of_count(count) : p.shift);
	int total = 0, value[32];
#pragma unroll
	for (int k = 0; k < 32; k++) {
		int row = chunk * 32 + k;
		float m = 0;
		if (row < p.rows) {
			float x = (float)p.fields[(size_t)row * p.stride + j] * scale;
			m = (p.spin ? mean_spin(x) : mean_bit(x)) * (p.weights ? p.weights[row] : row < count ? 1.0f : 0.0f);
		}
		all[(warp * 32 + k) * 33 + lane] = m;
		value[k] = __float2int_rn(m * unit);
		total += value[k];
	}
	if (chunk < p.chunks) {
		u8 *at = p.fragments + fragment_at(column / 2, chunk, p.chunks, tile_of(j % 64), column_of(j % 64));
		int need = 0;
#pragma unroll
		for (int r = 0; r < 2; r++) {
			u32 reg[4][4];
#pragma unroll
			for (int t = 0; t < 4; t++) {
				int w[4];
				u32 packed[4];
#pragma unroll
				for (int b = 0; b < 4; b++) w[b] = value[bit_of(t, r, b)];
				pack_digits(packed, w, need);
#pragma unroll
				for (int k = 0; k < 4; k++) reg[k][t] = packed[k];
			}
#pragma unroll
			for (int k = 0; k < 4; k++)
				*(uint4 *)(at + k * DIGIT + r * 128) = make_uint4(reg[k][0], reg[k][1], reg[k][2], reg[k][3]);
		}
		atomicAdd(&p.totals[j], total);
		if (need) atomicMax(&p.need[(size_t)(column / 2) * ((p.chunks + 3) / 4 * 4) + chunk], need);
	}
	__syncthreads();
	if (warp == 0) {
		double sum = 0;
		int last = min(MEAN_ROWS, p.rows - group * MEAN_ROWS);
#pragma unroll 8
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
extern "C" __global__ void finish(const Finish p) {
	int k = blockIdx.x * blockDim.x + threadIdx.x, count = p.count ? *p.count : p.rows;
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
