// The product of rows of bits with weights, and what follows from it: draws of bits or Potts states, or the fields
// themselves. A launch makes any number of half-sweeps: a block of chains goes on as soon as all tiles of its previous
// half are done, which a counter of that block says; no barrier holds all of them.
//
// ROWS×OUTS is the tile of a thread block, of WARPS_M×WARPS_N×WARPS_K warps; warps along K share the chunks of inputs.
// WIDE takes the instructions of Hopper, in which four warps multiply together.

#define WARPS (WARPS_M * WARPS_N * WARPS_K)
#define THREADS (32 * WARPS)
#define MT (ROWS / WARPS_M / 16) // tiles of 16 rows of a warp
#define NT (OUTS / WARPS_N / 8)	 // tiles of 8 outputs: 4, or 8 if WIDE
#define STAGE 4					 // chunks of 32 inputs that are copied together
#define STAGE_A (ROWS * 16)
#define STAGE_B (OUTS / 32 * STAGE * 4096)
#define STAGE_BYTES (STAGE_A + STAGE_B)
#ifdef WIDE
#define RESERVED 128 // bytes of shared memory for the barriers of copies in bulk
#else
#define RESERVED 0
#endif
#define AHEAD (STAGES - 1) // stages that are copied ahead

enum { DRAW_BITS, DRAW_STATES, FIELDS, MEANS };

struct Product {
	const u8 *fragments; // weights as digits
	const int *need;	 // digits beyond two for each panel of 64 outputs and chunk
	const int *base;	 // fields when no input is set
	const float *scale;	 // value of one unit of a field
	const u32 *in;
	u32 *out;
	int *fields;
	Layer layer; // that receives
	int chunks, inStride, outStride;
	int tiles; // of OUTS outputs
	int kind;
	float factor; // 2 for spins
	u32 purpose;
};

struct Sweeps {
	Product half[2];
	int rows, rowTiles, first, halves;
	u32 key0, key1, chain, pad;
	u64 sweep;
	const u64 *sweepAt; // if not null, the sweep is here
	u32 *done;			// tiles done of each block of rows
};

// need_of is how many digits beyond two the chunks of a stage need, for a panel.
__device__ __forceinline__ int need_of(const Product &p, int s, int panel) {
	int4 x = *(const int4 *)(p.need + (size_t)panel * ((p.chunks + 3) / 4 * 4) + s * STAGE);
	return max(max(x.x, x.y), max(x.z, x.w));
}

#ifdef WIDE
// load_b begins to copy the digits of a stage.
__device__ __forceinline__ void load_b(u8 *stage, u64 *barrier, const Product &p, int s, int panel, int need) {
	if (threadIdx.x != 0) return;
	const int chunks = min(STAGE, p.chunks - s * STAGE), bytes = (2 + need) * DIGIT;
	const u8 *from = p.fragments + ((size_t)panel * p.chunks + s * STAGE) * PANEL;
	bulk_expect(barrier, chunks * bytes);
	for (int k = 0; k < chunks; k++) bulk_copy(stage + STAGE_A + k * PANEL, from + k * PANEL, bytes, barrier);
}

// panel_need is how many digits beyond two a panel needs; it is the same in all lanes.
__device__ __forceinline__ int panel_need(const Product &p, int panel) {
	int need = 0;
	for (int s = threadIdx.x % 32; s * STAGE < p.chunks; s += 32) need = max(need, need_of(p, s, panel));
	for (int step = 16; step; step /= 2) need = max(need, __shfl_xor_sync(0xffffffffu, need, step));
	return __shfl_sync(0xffffffffu, need, 0);
}
#else
// load_b copies the digits of a stage: for each chunk and each digit the tiles of OUTS outputs.
__device__ __forceinline__ void load_b(u8 *stage, const Product &p, int s, int tileN) {
	const int each = OUTS * 2, panels = (p.layer.positions + 63) / 64; // copies of a digit
	const int chunks = min(STAGE, p.chunks - s * STAGE);
#pragma unroll
	for (int i = threadIdx.x; i < 4 * each; i += THREADS) {
		int digit = i / each, at = i % each, panel = (tileN * OUTS + at / 2) / 64;
		if (panel >= panels || (digit > 1 && need_of(p, s, panel) < digit - 1)) continue;
		const u8 *from = p.fragments + ((size_t)panel * p.chunks + s * STAGE) * PANEL + digit * DIGIT + (at * 16) % DIGIT +
						 tileN * OUTS % 64 / 32 * 1024;
		u8 *to = stage + STAGE_A + i * 16;
#pragma unroll
		for (int k = 0; k < STAGE; k++)
			if (k < chunks) copy16(to + k * 4 * each * 16, from + k * PANEL);
	}
}
#endif

__device__ __forceinline__ void load_a(u8 *stage, const Product &p, int s, int row0, int rows) {
	for (int i = threadIdx.x; i < ROWS; i += THREADS) {
		int row = min(row0 + i, rows - 1);
		copy16(stage + i * 16, p.in + (size_t)row * p.inStride + s * STAGE);
	}
}

// expand makes bytes of the bits of a chunk: ones in a, 255 in b.
__device__ __forceinline__ void expand(u32 a[4], u32 b[4], const u8 *rows, int t) {
	u32 x = *(const u32 *)rows >> t, y = *(const u32 *)(rows + 128) >> t;
	a[0] = x & 0x01010101, a[1] = y & 0x01010101;
	a[2] = x >> 4 & 0x01010101, a[3] = y >> 4 & 0x01010101;
#pragma unroll
	for (int r = 0; r < 4; r++) b[r] = a[r] * RADIX;
}

#ifdef WIDE
// wide_chunks begins to add the products of some chunks. Nothing may come between the instructions.
template <int NEED, int CHUNKS>
__device__ __forceinline__ void wide_chunks(const u8 *rows, const u8 *digits, int (&lo)[8][4], int (&hi)[8][4]) {
	u32 a[CHUNKS][4], b[CHUNKS][4];
#pragma unroll
	for (int k = 0; k < CHUNKS; k++) expand(a[k], b[k], rows + k * 4, threadIdx.x % 4);
	wide_begin();
#pragma unroll
	for (int k = 0; k < CHUNKS; k++) {
		wide_mma(lo, a[k], digits + (k * 4 + 0) * DIGIT);
		wide_mma(lo, b[k], digits + (k * 4 + 1) * DIGIT);
		if (NEED > 0) wide_mma(hi, a[k], digits + (k * 4 + 2) * DIGIT);
		if (NEED > 1) wide_mma(hi, b[k], digits + (k * 4 + 3) * DIGIT);
	}
	wide_commit();
}

#else
// multiply adds the products of a stage.
__device__ __forceinline__ void multiply(const u8 *stage, const Product &p, int s, int panel, int wm, int wn, int wk,
										 int (&lo)[MT][NT][4], int (&hi)[MT][NT][4]) {
	const int lane = threadIdx.x % 32, g = lane / 4, need = need_of(p, s, panel);
	const u8 *rows = stage + (wm * MT * 16 + g) * 16;
#pragma unroll
	for (int j = 0; j < STAGE / WARPS_K; j++) {
		int chunk = j * WARPS_K + wk;
		if (s * STAGE + chunk >= p.chunks) break;
		u32 a[MT][4], b[MT][4];
#pragma unroll
		for (int m = 0; m < MT; m++) expand(a[m], b[m], rows + m * 256 + chunk * 4, lane % 4);
		const int digit = OUTS * 32;
		const u8 *digits = stage + STAGE_A + chunk * 4 * digit + wn * 1024;
#pragma unroll
		for (int n = 0; n < NT; n++) {
			uint4 w = load_digits(digits + n * 256, digits + n * 256 + digit);
#pragma unroll
			for (int m = 0; m < MT; m++) mma(lo[m][n], a[m], w.x, w.y);
#pragma unroll
			for (int m = 0; m < MT; m++) mma(lo[m][n], b[m], w.z, w.w);
		}
		if (need > 0) {
#pragma unroll
			for (int n = 0; n < NT; n++) {
				uint4 w = load_digits(digits + n * 256 + 2 * digit, digits + n * 256 + 3 * digit);
#pragma unroll
				for (int m = 0; m < MT; m++) mma(hi[m][n], a[m], w.x, w.y);
				if (need > 1) {
#pragma unroll
					for (int m = 0; m < MT; m++) mma(hi[m][n], b[m], w.z, w.w);
				}
			}
		}
	}
}
#endif

__device__ __forceinline__ int pick(const int4 &x, int k) { return k == 0 ? x.x : k == 1 ? x.y : k == 2 ? x.z : x.w; }

// store_bits stores 32 drawn bits of a row; those beyond the last unit are cleared.
__device__ __forceinline__ void store_bits(const Product &p, int row, int word, u32 bits) {
	int left = p.layer.units - word * 32;
	if (left < 32) bits &= (1u << max(left, 0)) - 1;
	p.out[(size_t)row * p.outStride + word] = bits;
}

// draw_from_registers draws bits where every warp has whole fields, from the given word of a row on.
__device__ __forceinline__ void draw_from_registers(const Product &p, const Stream &s, int rows, int row0, int word0,
													int wm, float scale, int (&lo)[MT][NT][4], int (&hi)[MT][NT][4]) {
	const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
#pragma unroll
	for (int word = 0; word < NT / 4; word++) {
		if ((word0 + word) * 32 >= p.layer.positions) break;
#pragma unroll
		for (int m = 0; m < MT; m++) {
#pragma unroll
			for (int half = 0; half < 2; half++) {
				int row = row0 + (wm * MT + m) * 16 + half * 8 + g;
				u32 bits = 0;
#pragma unroll
				for (int pair = 0; pair < 2; pair++) {
					u32 w[4];
					words_of(w, s, (word0 + word) * 8 + pair * 4 + t, row);
					int4 base = *(const int4 *)(p.base + (word0 + word) * 32 + pair * 16 + t * 4);
					int field[4];
#pragma unroll
					for (int k = 0; k < 4; k++) {
						int n = word * 4 + pair * 2 + k / 2, c = half * 2 + k % 2;
						field[k] = pick(base, k) + lo[m][n][c] + RADIX2 * hi[m][n][c];
					}
					bits |= draw_bits(field, scale, w) << (pair * 16 + t * 4);
				}
				bits |= __shfl_xor_sync(0xffffffffu, bits, 1);
				bits |= __shfl_xor_sync(0xffffffffu, bits, 2);
				if (t == (m * 2 + half) % 4 && row < rows) store_bits(p, row, word0 + word, bits);
			}
		}
	}
}

#define PITCH (OUTS + 1) // of a row of fields in shared memory

// stage_fields writes the sums to shared memory, those of warps along K to places of their own.
__device__ __forceinline__ void stage_fields(int *to, int wm, int wn, int wk, int (&lo)[MT][NT][4],
											 int (&hi)[MT][NT][4]) {
	const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
#pragma unroll
	for (int m = 0; m < MT; m++)
#pragma unroll
		for (int n = 0; n < NT; n++)
#pragma unroll
			for (int c = 0; c < 4; c++) {
				int row = (wm * MT + m) * 16 + (c / 2) * 8 + g;
				int out = wn * NT * 8 + (n / 2) * 16 + t * 4 + (n % 2) * 2 + c % 2;
				to[(wk * ROWS + row) * PITCH + out] = lo[m][n][c] + RADIX2 * hi[m][n][c];
			}
}

__device__ __forceinline__ int staged(const int *fields, int row, int out) {
	int x = 0;
#pragma unroll
	for (int k = 0; k < WARPS_K; k++) x += fields[(k * ROWS + row) * PITCH + out];
	return x;
}

// draw_staged_bits draws four neighbours per thread; eight threads fill a word.
__device__ __forceinline__ void draw_staged_bits(const Product &p, const Stream &s, int rows, int row0, int tileN,
												 float scale, const int *fields) {
	for (int e = threadIdx.x; e < ROWS * OUTS / 4; e += THREADS) {
		int row = e / (OUTS / 4), quad = e % (OUTS / 4), first = tileN * OUTS + quad * 4;
		u32 w[4], bits = 0;
		words_of(w, s, first / 4, row0 + row);
		if (first < p.layer.positions) {
			int field[4];
#pragma unroll
			for (int k = 0; k < 4; k++) field[k] = p.base[first + k] + staged(fields, row, quad * 4 + k);
			bits = draw_bits(field, scale, w) << (quad * 4 % 32);
		}
		bits |= __shfl_xor_sync(0xffffffffu, bits, 1);
		bits |= __shfl_xor_sync(0xffffffffu, bits, 2);
		bits |= __shfl_xor_sync(0xffffffffu, bits, 4);
		if (quad % 8 == 0 && row0 + row < rows && first < p.layer.positions) store_bits(p, row0 + row, first / 32, bits);
	}
}

// draw_staged_states draws Potts states, one unit per thread, with probabilities ∝ 2^x: cumulative sums, then the
// number of those that the random number reaches.
__device__ __forceinline__ void draw_staged_states(const Product &p, const Stream &s, int rows, int row0, int tileN,
												   float scale, const int *fields, u32 *bits) {
	const Layer &l = p.layer;
	const int groups = OUTS / l.group, perTile = groups * l.perGroup, q = l.states;
	for (int e = threadIdx.x; e < ROWS * OUTS / 32; e += THREADS) bits[e] = 0;
	__syncthreads();
	for (int e = threadIdx.x; e < ROWS * perTile; e += THREADS) {
		int row = e / perTile, in = e % perTile, unit = tileN * perTile + in;
		if (unit >= l.units || row0 + row >= rows) continue;
		int at = in / l.perGroup * l.group + in % l.perGroup * q;
		const int *base = p.base + tileN * OUTS + at;
		float top = (float)(base[0] + staged(fields, row, at)) * scale;
		for (int a = 1; a < q; a++) top = fmaxf(top, (float)(base[a] + staged(fields, row, at + a)) * scale);
		float sum = 0;
		for (int a = 0; a < q; a++) sum += exp2_down((float)(base[a] + staged(fields, row, at + a)) * scale - top);
		u32 w[4];
		words_of(w, s, unit / 4, row0 + row);
		u32 word = unit % 4 == 0 ? w[0] : unit % 4 == 1 ? w[1] : unit % 4 == 2 ? w[2] : w[3];
		float t = (float)(int)(word >> 8) * (1.0f / 16777216.0f) * sum, reached = 0;
		int state = 0;
		for (int a = 0; a < q; a++) {
			reached += exp2_down((float)(base[a] + staged(fields, row, at + a)) * scale - top);
			state += reached <= t;
		}
		at += state;
		atomicOr(&bits[row * (OUTS / 32) + at / 32], 1u << (at % 32));
	}
	__syncthreads();
	for (int e = threadIdx.x; e < ROWS * (OUTS / 32); e += THREADS) {
		int row = row0 + e / (OUTS / 32), word = tileN * (OUTS / 32) + e % (OUTS / 32);
		if (row < rows && word * 32 < l.positions) p.out[(size_t)row * p.outStride + word] = bits[e];
	}
}

__device__ __forceinline__ void store_fields(const Product &p, int rows, int row0, int tileN, const int *fields) {
	for (int e = threadIdx.x; e < ROWS * OUTS; e += THREADS) {
		int row = e / OUTS, out = tileN * OUTS + e % OUTS;
		if (row0 + row < rows && out < p.layer.positions)
			p.fields[(size_t)(row0 + row) * p.outStride + out] = p.base[out] + staged(fields, row, e % OUTS);
	}
}

// store_staged_means makes means of the fields of a block of rows: a thread has 32 rows of one output. They replace the
// fields in shared memory, where they are then summed in order.
__device__ __forceinline__ void store_staged_means(const Product &p, const Means &m, int row0, int tileN, int *fields) {
	const int count = m.count ? *m.count : m.rows;
	const int shift = m.count ? shift_of_count(count) : m.shift;
	const float scale = *m.scale, unit = (float)power(shift);
	for (int e = threadIdx.x; e < ROWS / 32 * OUTS; e += THREADS) {
		int in = e % OUTS, first = e / OUTS * 32, out = tileN * OUTS + in, value[32];
		if (out >= p.layer.positions) continue;
		int base = p.base[out];
#pragma unroll
		for (int k = 0; k < 32; k++) {
			int *at = fields + (first + k) * PITCH + in;
			float mean = mean_of(m, base + *at, row0 + first + k, scale, count);
			*(float *)at = mean;
			value[k] = __float2int_rn(mean * unit);
		}
		if (row0 / 32 + first / 32 < m.chunks) store_means(m, value, row0 / 32 + first / 32, out, shift);
	}
	__syncthreads();
	int out = tileN * OUTS + threadIdx.x;
	if (threadIdx.x >= OUTS || out >= p.layer.positions) return;
	const float *all = (const float *)fields + threadIdx.x;
	double sum = 0;
	int last = min(MEAN_ROWS, m.rows - row0);
#pragma unroll 16
	for (int k = 0; k < last; k++) sum += (double)all[k * PITCH];
	m.sums[(size_t)(row0 / MEAN_ROWS) * m.positions + out] = sum;
}

// Pipeline is where the stages of a tile lie in shared memory.
struct Pipeline {
	u8 *raw;
	const Product *p;
	int rows, row0, tileN, need;
	u32 used; // stages before this tile

	__device__ __forceinline__ u8 *stage(int k) const { return raw + RESERVED + (used + k) % STAGES * STAGE_BYTES; }
	__device__ __forceinline__ int stages() const { return (p->chunks + STAGE - 1) / STAGE; }
	__device__ __forceinline__ void fill_b(int k) const {
		if (k >= stages()) return;
#ifdef WIDE
		load_b(stage(k), (u64 *)raw + (used + k) % STAGES, *p, k, tileN, need);
#else
		load_b(stage(k), *p, k, tileN);
#endif
	}
	__device__ __forceinline__ void fill_a(int k) const {
		if (k < stages()) load_a(stage(k), *p, k, row0, rows);
		copies_end_group();
	}
	// next waits for stage k, and begins to fill one that is no longer used.
	__device__ __forceinline__ const u8 *next(int k) const {
		copies_wait<AHEAD - 1>();
#ifdef WIDE
		bulk_wait((u64 *)raw + (used + k) % STAGES, (used + k) / STAGES & 1);
#endif
		__syncthreads();
		fill_b(k + AHEAD);
		fill_a(k + AHEAD);
		return stage(k);
	}
};

#ifdef WIDE
// wide_loop adds the products of all stages. There is one loop for each number of digits, so that nothing but products
// touches the sums while they are in the making; the last chunks, if they fill no stage, come one by one.
template <int NEED>
__device__ __forceinline__ void wide_loop(const Pipeline &pipeline, int wm, int (&lo)[8][4], int (&hi)[8][4]) {
	const int at = (wm * 16 + threadIdx.x % 32 / 4) * 16, whole = pipeline.p->chunks / STAGE;
	for (int k = 0; k < whole; k++) {
		const u8 *stage = pipeline.next(k);
		wide_chunks<NEED, 2>(stage + at, stage + STAGE_A, lo, hi);
		wide_chunks<NEED, 2>(stage + at + 8, stage + STAGE_A + 2 * PANEL, lo, hi);
		wide_wait();
	}
	int rest = pipeline.p->chunks % STAGE;
	if (rest == 0) return;
	const u8 *stage = pipeline.next(whole);
	for (int c = 0; c < rest; c++) {
		wide_chunks<NEED, 1>(stage + at + 4 * c, stage + STAGE_A + c * PANEL, lo, hi);
		wide_wait();
	}
}
#endif

// one_tile computes one tile; ready says when its inputs may be read. The barriers of copies in bulk have been used for
// the given number of stages before.
template <typename Ready>
__device__ __forceinline__ void one_tile(u8 *raw, const Product &p, const Stream &s, int rows, int rowTile, int tileN,
										 const Means *means, u32 used, Ready ready) {
	u8 *shared = raw + RESERVED;
	const int warp = threadIdx.x / 32;
	const int wk = warp % WARPS_K, wn = warp / WARPS_K % WARPS_N, wm = warp / (WARPS_K * WARPS_N);
	const int row0 = rowTile * ROWS, word0 = (tileN * WARPS_N + wn) * (NT / 4);
	const bool some = word0 * 32 < p.layer.positions;
	int lo[MT][NT][4], hi[MT][NT][4];
#pragma unroll
	for (int m = 0; m < MT; m++)
#pragma unroll
		for (int n = 0; n < NT; n++)
#pragma unroll
			for (int c = 0; c < 4; c++) lo[m][n][c] = hi[m][n][c] = 0;
#ifdef WIDE
	const Pipeline pipeline = {raw, &p, rows, row0, tileN, panel_need(p, tileN), used};
#else
	const Pipeline pipeline = {raw, &p, rows, row0, tileN, 0, 0};
#endif
#pragma unroll
	for (int k = 0; k < AHEAD; k++) pipeline.fill_b(k);
	ready();
#pragma unroll
	for (int k = 0; k < AHEAD; k++) pipeline.fill_a(k);
#ifdef WIDE
	if (pipeline.need == 0)
		wide_loop<0>(pipeline, wm, lo[0], hi[0]);
	else if (pipeline.need == 1)
		wide_loop<1>(pipeline, wm, lo[0], hi[0]);
	else
		wide_loop<2>(pipeline, wm, lo[0], hi[0]);
#else
	for (int k = 0; k < pipeline.stages(); k++) {
		const u8 *stage = pipeline.next(k);
		if (some) multiply(stage, p, k, word0 / 2, wm, wn, wk, lo, hi);
	}
#endif
	float scale = *p.scale * p.factor * 1.4426950408889634f;
	if (WARPS_K == 1 && p.kind == DRAW_BITS) {
		if (some) draw_from_registers(p, s, rows, row0, word0, wm, scale, lo, hi);
		return;
	}
	int *fields = (int *)shared;
	__syncthreads();
	stage_fields(fields, wm, wn, wk, lo, hi);
	__syncthreads();
	if (p.kind == DRAW_BITS)
		draw_staged_bits(p, s, rows, row0, tileN, scale, fields);
	else if (p.kind == DRAW_STATES)
		draw_staged_states(p, s, rows, row0, tileN, scale, fields, (u32 *)(fields + WARPS_K * ROWS * PITCH));
	else if (ROWS == MEAN_ROWS && WARPS_K == 1 && p.kind == MEANS)
		store_staged_means(p, *means, row0, tileN, fields);
	else
		store_fields(p, rows, row0, tileN, fields);
}

// make_barriers prepares the barriers of copies in bulk.
__device__ __forceinline__ void make_barriers(u8 *shared) {
#ifdef WIDE
	if (threadIdx.x == 0)
		for (int k = 0; k < STAGES; k++) bulk_make((u64 *)shared + k);
	bulk_fence();
	__syncthreads();
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) sweeps(const __grid_constant__ Sweeps s) {
	SHARED(shared);
	make_barriers(shared);
	u32 used = 0; // stages
	const int tiles0 = s.half[0].tiles, tiles1 = s.half[1].tiles;
	const u64 start = s.sweepAt ? *s.sweepAt : s.sweep;
	// Tiles are numbered by pairs of halves, then halves, blocks of rows and blocks of outputs.
	const int in0 = s.rowTiles * (s.first ? tiles1 : tiles0), in1 = s.rowTiles * (s.first ? tiles0 : tiles1);
	const long long all = (long long)(s.halves / 2) * (in0 + in1) + (s.halves % 2 ? in0 : 0);
	for (long long i = blockIdx.x; i < all; i += gridDim.x) {
		int pair = (int)(i / (in0 + in1)), rest = (int)(i % (in0 + in1));
		bool second = rest >= in0;
		if (second) rest -= in0;
		const int which = second ? 1 - s.first : s.first;
		const Product &p = s.half[which];
		const int rowTile = rest / p.tiles, tileN = rest % p.tiles;
		u32 before = (u32)pair * (u32)(tiles0 + tiles1) + (second ? (u32)s.half[s.first].tiles : 0u);
		u64 sweep = start + pair;
		Stream stream = {s.key0, s.key1, s.chain, (u32)sweep, p.purpose | (u32)(sweep >> 32)};
		one_tile(shared, p, stream, s.rows, rowTile, tileN, nullptr, used, [&] {
			if (before > 0) {
				if (threadIdx.x == 0)
					while (read_acquired(&s.done[rowTile]) < before) pause();
				__syncthreads();
			}
		});
		used += (p.chunks + STAGE - 1) / STAGE;
#ifdef WIDE
		bulk_fence();
#endif
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence();
			raise_released(&s.done[rowTile]);
		}
	}
}

struct Products {
	Product half[2];
	Means means[2]; // if that is what they are for
	int rows[2], rowTiles[2];
};

// products computes up to two independent sets of fields.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) products(const __grid_constant__ Products s) {
	SHARED(shared);
	make_barriers(shared);
	int i = blockIdx.x, which = 0;
	if (i >= s.rowTiles[0] * s.half[0].tiles) which = 1, i -= s.rowTiles[0] * s.half[0].tiles;
	const Product &p = s.half[which];
	Stream none = {0, 0, 0, 0, 0};
	one_tile(shared, p, none, s.rows[which], i / p.tiles, i % p.tiles, &s.means[which], 0, [] {});
}
