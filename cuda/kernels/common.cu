// What all kernels share: random words, draws and means with the roundings of internal/kernel, the digits of weights,
// and the tensor-core product. Compiled without fused multiply-add, so that every product and every sum is rounded.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#ifndef EMULATED // a test harness on the processor defines its own
#define SHARED(name) extern __shared__ __align__(16) u8 name[]

// mma adds the product of 16×32 bytes (rows of a) and 32×8 signed bytes (columns of b) to 16×8 integers.
__device__ __forceinline__ void mma(int c[4], const u32 a[4], u32 b0, u32 b1) {
	asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
				 "{%0,%1,%2,%3};"
				 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
				 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// load_digits loads the registers of mma for two digits of a tile, each of two matrices of 8 times 16 bytes.
__device__ __forceinline__ uint4 load_digits(const u8 *digit, const u8 *next) {
	int lane = threadIdx.x % 32;
	u32 at = (u32)__cvta_generic_to_shared((lane < 16 ? digit : next) + lane % 16 * 16);
	uint4 x;
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
				 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
				 : "r"(at));
	return x;
}

#ifdef WIDE
// wide_mma adds the product of 64×32 bytes, 16 rows in each of four warps, and the 64 columns at b to 64×64 integers.
__device__ __forceinline__ void wide_mma(int (&c)[8][4], const u32 a[4], const u8 *b) {
	u64 at = (u64)(__cvta_generic_to_shared(b) >> 4 & 0x3fff) | (u64)(128 >> 4) << 16 | (u64)(256 >> 4) << 32;
	asm volatile(
		"wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.s8 "
		"{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
		"%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, {%32,%33,%34,%35}, %36, 1;"
		: "+r"(c[0][0]), "+r"(c[0][1]), "+r"(c[0][2]), "+r"(c[0][3]), "+r"(c[1][0]), "+r"(c[1][1]), "+r"(c[1][2]),
		  "+r"(c[1][3]), "+r"(c[2][0]), "+r"(c[2][1]), "+r"(c[2][2]), "+r"(c[2][3]), "+r"(c[3][0]), "+r"(c[3][1]),
		  "+r"(c[3][2]), "+r"(c[3][3]), "+r"(c[4][0]), "+r"(c[4][1]), "+r"(c[4][2]), "+r"(c[4][3]), "+r"(c[5][0]),
		  "+r"(c[5][1]), "+r"(c[5][2]), "+r"(c[5][3]), "+r"(c[6][0]), "+r"(c[6][1]), "+r"(c[6][2]), "+r"(c[6][3]),
		  "+r"(c[7][0]), "+r"(c[7][1]), "+r"(c[7][2]), "+r"(c[7][3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(at));
}
__device__ __forceinline__ void wide_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wide_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wide_wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
// Copies in bulk arrive at a barrier in shared memory: it is made for one thread, which then expects a number of bytes
// and begins copies; the others wait for a round of it to be complete, by the parity of its number.
__device__ __forceinline__ u32 shared_at(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bulk_make(u64 *barrier) {
	asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_at(barrier)) : "memory");
}
__device__ __forceinline__ void bulk_expect(u64 *barrier, u32 bytes) {
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_at(barrier)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void bulk_copy(void *to, const void *from, u32 bytes, u64 *barrier) {
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
					 shared_at(to)),
				 "l"(from), "r"(bytes), "r"(shared_at(barrier))
				 : "memory");
}
__device__ __forceinline__ void bulk_wait(u64 *barrier, u32 parity) {
	u32 done = 0;
	while (!done)
		asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
					 : "=r"(done)
					 : "r"(shared_at(barrier)), "r"(parity)
					 : "memory");
}
// bulk_fence orders other accesses to shared memory before copies in bulk.
__device__ __forceinline__ void bulk_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#endif

// copy16 copies 16 bytes to shared memory, past the first-level cache, in the background.
__device__ __forceinline__ void copy16(void *to, const void *from) {
	u32 at = (u32)__cvta_generic_to_shared(to);
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
}
__device__ __forceinline__ void copies_end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int LEFT> __device__ __forceinline__ void copies_wait() {
	asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
}

// read_acquired reads a counter that other blocks raise with raise_released.
__device__ __forceinline__ u32 read_acquired(const u32 *at) {
	u32 x;
	asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
	return x;
}
__device__ __forceinline__ void raise_released(u32 *at) {
	asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(at) : "memory");
}
// exp2_near is 2^y with a relative error below 3e-7.
__device__ __forceinline__ float exp2_near(float y) {
	float x;
	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(y));
	return x;
}
__device__ __forceinline__ void pause() { __nanosleep(40); }
#endif

// philox is Philox4x32-10.
__device__ __forceinline__ void philox(u32 c[4], u32 k0, u32 k1) {
#pragma unroll
	for (int round = 0; round < 10; round++) {
		u32 hi0 = __umulhi(0xD2511F53u, c[0]), lo0 = 0xD2511F53u * c[0];
		u32 hi1 = __umulhi(0xCD9E8D57u, c[2]), lo1 = 0xCD9E8D57u * c[2];
		c[0] = hi1 ^ c[1] ^ k0, c[1] = lo1, c[2] = hi0 ^ c[3] ^ k1, c[3] = lo0;
		k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
	}
}

// Stream names the random words of one purpose and sweep.
struct Stream {
	u32 key0, key1, chain, sweep, purpose; // purpose with the high bits of the sweep
};

__device__ __forceinline__ void words_of(u32 w[4], const Stream &s, u32 block, u32 row) {
	w[0] = block, w[1] = s.chain + row, w[2] = s.sweep, w[3] = s.purpose;
	philox(w, s.key0, s.key1);
}

// exp2_up is 2^y for 0 ≤ y ≤ 64.
__device__ __forceinline__ float exp2_up(float y) {
	float shifted = __fadd_rz(y, 8388608.0f); // 2^23 + the whole part
	int n = __float_as_int(shifted);		  // whose lower bits are the whole part
	float f = y - (shifted - 8388608.0f);
	float f2 = f * f;
	float low = f * 0.6931517124176025f + 1.0f;
	float mid = f * 0.05581867694854736f + 0.240159273147583f;
	float top = f * 0.001879318617284298f + 0.008990995585918427f;
	float p = (low + mid * f2) + top * (f2 * f2);
	return __int_as_float(__float_as_int(p) + (n << 23));
}

// exp2_down is 2^d for d ≤ 0.
__device__ __forceinline__ float exp2_down(float d) {
	d = fmaxf(d, -126.0f);
	float r = rintf(d);
	float f = d - r;
	float f2 = f * f;
	float low = f * 0.6931469440460205f + 1.0000001192092896f;
	float mid = f * 0.05550713092088699f + 0.24022120237350464f;
	float top = f * 0.001327647129073739f + 0.009675540961325169f;
	float p = (low + mid * f2) + top * (f2 * f2);
	return __int_as_float(__float_as_int(p) + ((int)r << 23));
}

// draw_bit is set with probability 1/(1+2^−x).
__device__ __forceinline__ u32 draw_bit(float x, u32 word) {
	bool up = x >= 0.0f;
	if (up) word = ~word;
	float f = (float)(int)min(word, 0x7fffffffu) + 0.5f;
	float y = fminf(fabsf(x), 64.0f);
	return (f * (exp2_up(y) + 1.0f) < 4294967296.0f) != up;
}

// draw_bits draws four bits from fields. An approximate power of two decides nearly always: its relative error, that of
// exp2_up and the roundings add up to less than 1e-6. Where the comparison is closer than that, draw_bit decides.
__device__ __forceinline__ u32 draw_bits(const int field[4], float scale, const u32 word[4]) {
	u32 bits = 0, doubt = 0;
#pragma unroll
	for (int k = 0; k < 4; k++) {
		float x = (float)field[k] * scale;
		bool up = x >= 0.0f;
		float f = (float)(int)min(up ? ~word[k] : word[k], 0x7fffffffu) + 0.5f;
		float product = f * (exp2_near(fminf(fabsf(x), 64.0f)) + 1.0f);
		bits |= (u32)((product < 4294967296.0f) != up) << k;
		doubt |= (product > 4294958706.0f) & (product < 4294975886.0f); // within 2e-6
	}
	if (doubt) {
		bits = 0;
#pragma unroll
		for (int k = 0; k < 4; k++) bits |= draw_bit((float)field[k] * scale, word[k]) << k;
	}
	return bits;
}

// mean_bit and mean_spin are the means of 0/1 and ±1 units given their field.
__device__ __forceinline__ float mean_bit(float x) {
	float small = __frcp_rn(exp2_up(fminf(fabsf(x) * 1.4426950408889634f, 64.0f)) + 1.0f);
	return __float_as_int(x) < 0 ? small : 1.0f - small;
}
__device__ __forceinline__ float mean_spin(float x) {
	float small = __frcp_rn(exp2_up(fminf(fabsf(x) * 2.8853900817779268f, 64.0f)) + 1.0f);
	return __int_as_float(__float_as_int(1.0f - small - small) | (__float_as_int(x) & 0x80000000));
}

// A weight w is written with four digits between −127 and 127: w = d0 + 255·d1 + 255²·(d2 + 255·d3). Bytes 1 and 255
// stand for a set bit, so that two digits share an accumulator, and no accumulator needs more than wrapping integers.
#define RADIX 255
#define RADIX2 65025

// digits_of finds the digits plus 127 of a weight: those of the weight plus 127·(1+255+255²+255³). Four digits hold
// numbers up to 2^30, three up to 2^22.
template <int DIGITS> __device__ __forceinline__ void digits_of(int w, u32 d[DIGITS]) {
	u32 x = (u32)w + (DIGITS == 4 ? 2114125312u : 8290687u);
#pragma unroll
	for (int k = 0; k < DIGITS - 1; k++) {
		u32 quotient = x / RADIX;
		d[k] = x - quotient * RADIX;
		x = quotient;
	}
	d[DIGITS - 1] = x;
}

// The 32 inputs of a chunk are bits of a word. Byte b of register r (0 or 1) of lane t (0 to 3) holds bit t+4r+8b, so
// that a shift and a mask expand them. Output o of a panel of 64 is column (o/4%4)*2 + o%2 of tile o/16*2 + o/2%2, so
// that a lane gets four neighbours, which share a block of random words.
__device__ __forceinline__ int bit_of(int t, int r, int b) { return t + 4 * r + 8 * b; }
__device__ __forceinline__ int tile_of(int o) { return (o / 16) * 2 + (o / 2) % 2; }
__device__ __forceinline__ int column_of(int o) { return ((o / 4) % 4) * 2 + o % 2; }

// Weights are stored by panels of 64 outputs and chunks of 32 inputs, 8 KiB each: for each of four digits, for each of
// eight tiles, two matrices of 8 columns times 16 bytes. fragment_at is where a column of a tile begins.
#define PANEL 8192
#define DIGIT 2048
__device__ __forceinline__ size_t fragment_at(int panel, int chunk, int chunks, int tile, int column) {
	return ((size_t)panel * chunks + chunk) * PANEL + tile * 256 + column * 16;
}

// pack_digits packs the digits of four weights, and raises how many digits are needed beyond two (at most two).
template <int DIGITS> __device__ __forceinline__ void pack_digits(u32 reg[DIGITS], const int w[4], int &need) {
	u32 d[4][DIGITS];
#pragma unroll
	for (int b = 0; b < 4; b++) digits_of<DIGITS>(w[b], d[b]);
#pragma unroll
	for (int k = 0; k < DIGITS; k++) {
		u32 x = d[0][k] | d[1][k] << 8 | d[2][k] << 16 | d[3][k] << 24;
		// Subtract 127, that is add 129, byte by byte.
		reg[k] = ((x & 0x7f7f7f7fu) + 0x01010101u) ^ (~x & 0x80808080u);
	}
	need = max(need, DIGITS == 4 && reg[DIGITS - 1] ? 2 : reg[2] ? 1 : 0);
}

// Pair is one or two of something; the second may be empty.
template <typename T> struct Pair {
	T of[2];
};

// Layer says where the channels of a discrete layer lie in a row of bits: unit i of two states at bit i, state a of
// Potts unit i at bit i/perGroup·group + i%perGroup·states + a.
struct Layer {
	int units, states, perGroup, group; // states 1 for units of two states
	int width;							// channels
	int positions;						// bits of a row, a multiple of 32
};

// channel_at is the channel at a position, −1 if there is none.
__device__ __forceinline__ int channel_at(const Layer &l, int position) {
	if (l.states == 1) return position < l.units ? position : -1;
	int rest = position % l.group, in = rest / l.states;
	int unit = position / l.group * l.perGroup + in;
	return in < l.perGroup && unit < l.units ? unit * l.states + rest % l.states : -1;
}

// power is 2^n.
__device__ __forceinline__ double power(int n) { return __longlong_as_double((long long)(1023 + n) << 52); }

#define MEAN_ROWS 256 // of a block of sums

// Means is what becomes of fields: means times weights, their sums over blocks of rows, and their digits.
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

// shift_of_count is shift_for of a number of rows.
__device__ __forceinline__ int shift_of_count(int count) { return __clz(count) - 2; }

// mean_of is the mean of a unit in a row times the weight of the row.
__device__ __forceinline__ float mean_of(const Means &p, int field, int row, float scale, int count) {
	if (row >= p.rows) return 0;
	float x = (float)field * scale;
	return (p.spin ? mean_spin(x) : mean_bit(x)) * (p.weights ? p.weights[row] : row < count ? 1.0f : 0.0f);
}

// store_means stores the digits of the means of a chunk of 32 rows for one output.
template <int DIGITS>
__device__ __forceinline__ void store_digits(const Means &p, const int value[32], int chunk, int out) {
	u8 *at = p.fragments + fragment_at(out / 64, chunk, p.chunks, tile_of(out % 64), column_of(out % 64));
	int need = 0, total = 0;
#pragma unroll
	for (int k = 0; k < 32; k++) total += value[k];
#pragma unroll
	for (int r = 0; r < 2; r++) {
		u32 reg[4][DIGITS];
#pragma unroll
		for (int t = 0; t < 4; t++) {
			int w[4];
#pragma unroll
			for (int b = 0; b < 4; b++) w[b] = value[bit_of(t, r, b)];
			pack_digits<DIGITS>(reg[t], w, need);
		}
#pragma unroll
		for (int k = 0; k < DIGITS; k++)
			*(uint4 *)(at + k * DIGIT + r * 128) = make_uint4(reg[0][k], reg[1][k], reg[2][k], reg[3][k]);
	}
	if (total) atomicAdd(&p.totals[out], total);
	if (need) atomicMax(&p.need[(size_t)(out / 64) * ((p.chunks + 3) / 4 * 4) + chunk], need);
}

__device__ __forceinline__ void store_means(const Means &p, const int value[32], int chunk, int out, int shift) {
	if (shift <= 22) // means are at most one
		store_digits<3>(p, value, chunk, out);
	else
		store_digits<4>(p, value, chunk, out);
}
