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
	int n = (int)y;
	float f = y - (float)n;
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

// mean_bit and mean_spin are the means of 0/1 and ±1 units given their field.
__device__ __forceinline__ float mean_bit(float x) {
	float small = 1.0f / (exp2_up(fminf(fabsf(x) * 1.4426950408889634f, 64.0f)) + 1.0f);
	return __float_as_int(x) < 0 ? small : 1.0f - small;
}
__device__ __forceinline__ float mean_spin(float x) {
	float small = 1.0f / (exp2_up(fminf(fabsf(x) * 2.8853900817779268f, 64.0f)) + 1.0f);
	return __int_as_float(__float_as_int(1.0f - small - small) | (__float_as_int(x) & 0x80000000));
}

// A weight w is written with four digits between −127 and 127: w = d0 + 255·d1 + 255²·(d2 + 255·d3). Bytes 1 and 255
// stand for a set bit, so that two digits share an accumulator, and no accumulator needs more than wrapping integers.
#define RADIX 255
#define RADIX2 65025

__device__ __forceinline__ void digits_of(int w, signed char d[4]) {
#pragma unroll
	for (int k = 0; k < 4; k++) {
		int r = (w + 127) % RADIX;
		if (r < 0) r += RADIX;
		d[k] = (signed char)(r - 127);
		w = (w - d[k]) / RADIX;
	}
}

// The 32 inputs of a chunk are bits of a word. Byte b of register r (0 or 1) of lane t (0 to 3) holds bit t+4r+8b, so
// that a shift and a mask expand them. Output o of a block of 32 is column (o/4%4)*2 + o%2 of tile o/16*2 + o/2%2, so
// that a lane gets four neighbours, which share a block of random words.
__device__ __forceinline__ int bit_of(int t, int r, int b) { return t + 4 * r + 8 * b; }
__device__ __forceinline__ int tile_of(int o) { return (o / 16) * 2 + (o / 2) % 2; }
__device__ __forceinline__ int column_of(int o) { return ((o / 4) % 4) * 2 + o % 2; }

// fragment_at is where the digits of a lane begin: two times sixteen bytes, 512 apart, for digits 0, 1 and 2, 3; each
// holds the two registers of one digit, then those of the other.
__device__ __forceinline__ size_t fragment_at(int block, int chunk, int chunks, int tile, int lane) {
	return (((size_t)block * chunks + chunk) * 4 + tile) * 1024 + (size_t)lane * 16;
}

// store_digits stores the digits of eight weights, w[r*4+b] being that of bit_of(t, r, b), and returns how many digits
// they need beyond the first two (0: none, 1: the third, 2: also the fourth).
__device__ __forceinline__ int store_digits(u8 *fragments, size_t at, const int w[8]) {
	u32 reg[4][2];
	int need = 0;
#pragma unroll
	for (int r = 0; r < 2; r++) {
#pragma unroll
		for (int k = 0; k < 4; k++) reg[k][r] = 0;
#pragma unroll
		for (int b = 0; b < 4; b++) {
			signed char d[4];
			digits_of(w[r * 4 + b], d);
#pragma unroll
			for (int k = 0; k < 4; k++) reg[k][r] |= (u32)(u8)d[k] << (8 * b);
		}
		if (reg[3][r]) need = 2;
		if (reg[2][r] && need < 1) need = 1;
	}
	*(uint4 *)(fragments + at) = make_uint4(reg[0][0], reg[0][1], reg[1][0], reg[1][1]);
	*(uint4 *)(fragments + at + 512) = make_uint4(reg[2][0], reg[2][1], reg[3][0], reg[3][1]);
	return need;
}

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
