// Runs the kernels on the processor, for tests: every thread is a fiber, and warps and blocks meet where they would on a
// GPU. Built by the tests with the macros of one program; x86-64 only.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define EMULATED
#define __device__
#define __global__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)

struct uint4 {
	unsigned x, y, z, w;
};
struct int4 {
	int x, y, z, w;
};
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
struct dim {
	unsigned x;
};

static const size_t stackBytes = 64 << 10;
struct Block;
struct Warp {
	int arrived = 0;
	long generation = 0;
	uint64_t in[32], out[32];
	uint32_t a[32][4], b[32][2];
	int *c[32];
};
struct Fiber {
	void *sp;
	char *stack;
	Block *block;
	unsigned tid;
	bool finished;
};
struct Block {
	std::vector<Fiber> fibers;
	std::vector<Warp> warps;
	std::vector<unsigned char> shared;
	int arrived = 0, any = 0, last = 0;
	long generation = 0;
	unsigned id;
	int alive;
};
static Fiber *now;
static void *home;
static dim gridDim, blockDim;
static std::function<void()> body;
#define threadIdx (dim{now->tid})
#define blockIdx (dim{now->block->id})

extern "C" void change(void **save, void *load);
asm(".text\n.globl change\nchange:\n pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
	" movq %rsp, (%rdi)\n movq %rsi, %rsp\n popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n ret\n");

static void yield() {
	Fiber *f = now;
	change(&f->sp, home);
	now = f;
}
static void enter() {
	body();
	now->finished = true;
	now->block->alive--;
	for (;;) yield();
}
static void begin(Fiber &f) {
	uintptr_t top = ((uintptr_t)f.stack + stackBytes) & ~(uintptr_t)15;
	void **sp = (void **)(top - 16);
	*sp = (void *)enter;
	f.sp = sp - 6;
}

// meet waits for all lanes of a warp; the last one to come works.
template <typename Work> static void meet(Work work) {
	Warp &w = now->block->warps[now->tid / 32];
	long at = w.generation;
	if (++w.arrived == 32) {
		w.arrived = 0;
		work(w);
		w.generation++;
		return;
	}
	while (w.generation == at) yield();
}
static void __syncthreads() {
	Block &b = *now->block;
	long at = b.generation;
	if (++b.arrived == b.alive) {
		b.arrived = 0;
		b.last = b.any, b.any = 0;
		b.generation++;
		return;
	}
	while (b.generation == at) yield();
}
static int __syncthreads_or(int x) {
	now->block->any |= x != 0;
	__syncthreads();
	int last = now->block->last;
	__syncthreads();
	return last;
}
template <typename T> static T __shfl_xor_sync(unsigned, T x, int mask) {
	Warp &w = now->block->warps[now->tid / 32];
	int lane = now->tid % 32;
	memcpy(&w.in[lane], &x, sizeof x);
	meet([&](Warp &w) { memcpy(w.out, w.in, sizeof w.in); });
	T y;
	memcpy(&y, &w.out[lane ^ mask], sizeof y);
	meet([](Warp &) {});
	return y;
}
static int __shfl_sync(unsigned, int x, int from) {
	Warp &w = now->block->warps[now->tid / 32];
	w.in[now->tid % 32] = x;
	meet([](Warp &w) { memcpy(w.out, w.in, sizeof w.in); });
	int y = (int)w.out[from];
	meet([](Warp &) {});
	return y;
}
static unsigned __ballot_sync(unsigned, int x) {
	Warp &w = now->block->warps[now->tid / 32];
	w.in[now->tid % 32] = x != 0;
	meet([&](Warp &w) {
		w.out[0] = 0;
		for (int k = 0; k < 32; k++) w.out[0] |= w.in[k] << k;
	});
	unsigned all = (unsigned)w.out[0];
	meet([](Warp &) {});
	return all;
}
// The layout of mma.m16n8k32 in the manual of PTX.
static void mma(int c[4], const uint32_t a[4], uint32_t b0, uint32_t b1) {
	Warp &w = now->block->warps[now->tid / 32];
	int lane = now->tid % 32;
	memcpy(w.a[lane], a, 16);
	w.b[lane][0] = b0, w.b[lane][1] = b1, w.c[lane] = c;
	meet([](Warp &w) {
		unsigned char A[16][32];
		signed char B[32][8];
		for (int l = 0; l < 32; l++)
			for (int k = 0; k < 4; k++) {
				for (int r = 0; r < 4; r++)
					A[l / 4 + r % 2 * 8][l % 4 * 4 + r / 2 * 16 + k] = w.a[l][r] >> (8 * k);
				for (int r = 0; r < 2; r++) B[l % 4 * 4 + r * 16 + k][l / 4] = w.b[l][r] >> (8 * k);
			}
		for (int l = 0; l < 32; l++)
			for (int r = 0; r < 4; r++) {
				unsigned sum = w.c[l][r];
				for (int k = 0; k < 32; k++) sum += A[l / 4 + r / 2 * 8][k] * B[k][l % 4 * 2 + r % 2];
				w.c[l][r] = sum;
			}
	});
}

// The layout of wgmma: 16 rows of each of four warps, tiles of eight columns with two matrices of 8 times 16 bytes.
static void wide_mma(int (&c)[8][4], const uint32_t a[4], const unsigned char *b) {
	for (int tile = 0; tile < 8; tile++) {
		uint32_t r[2];
		for (int k = 0; k < 2; k++) memcpy(&r[k], b + tile * 256 + k * 128 + now->tid % 32 * 4, 4);
		mma(c[tile], a, r[0], r[1]);
	}
}
static void wide_begin() {}
static void wide_commit() {}
static void wide_wait() {}
static void bulk_make(unsigned long long *b) { *b = 0; }
// The upper half of a barrier counts the bytes to come, the lower one the rounds that are complete.
static void bulk_expect(unsigned long long *b, unsigned bytes) { *b += (unsigned long long)bytes << 32; }
static void bulk_copy(void *to, const void *from, unsigned bytes, unsigned long long *b) {
	memcpy(to, from, bytes);
	*b -= (unsigned long long)bytes << 32;
	if (*b >> 32 == 0) ++*b;
}
static void bulk_wait(unsigned long long *b, unsigned parity) {
	while ((*b & 1) == parity) yield();
}
static void bulk_fence() {}
static uint4 load_digits(const unsigned char *digit, const unsigned char *next) {
	uint32_t x[4];
	int at = now->tid % 32 * 4;
	memcpy(&x[0], digit + at, 4), memcpy(&x[1], digit + 128 + at, 4);
	memcpy(&x[2], next + at, 4), memcpy(&x[3], next + 128 + at, 4);
	return {x[0], x[1], x[2], x[3]};
}

#define SHARED(name) unsigned char *name = now->block->shared.data()
static void copy16(void *to, const void *from) { memcpy(to, from, 16); }
static void copies_end_group() {}
template <int LEFT> static void copies_wait() {}
static unsigned read_acquired(const unsigned *at) { return *at; }
static void raise_released(unsigned *at) { ++*at; }
static void pause() { yield(); }
static void __threadfence() {}
static unsigned __umulhi(unsigned a, unsigned b) { return (uint64_t)a * b >> 32; }
template <typename To, typename From> static To as(From x) {
	To y;
	memcpy(&y, &x, sizeof y);
	return y;
}
static float __int_as_float(int x) { return as<float>(x); }
static int __float_as_int(float x) { return as<int>(x); }
static long long __double_as_longlong(double x) { return as<long long>(x); }
static double __longlong_as_double(long long x) { return as<double>(x); }
#include <cfenv>
static float __fadd_rz(float x, float y) {
	double s = (double)x + y; // exact for what is added here
	float r = (float)s;
	return std::fabs(r) > std::fabs(s) ? std::nextafterf(r, 0.0f) : r;
}
static float exp2_near(float y) { return std::exp2f(y) * (y - std::floor(y) < 0.5f ? 1.0000003f : 0.9999997f); }
static float __fsqrt_rn(float x) { return std::sqrt(x); }
static void __syncwarp() { meet([](Warp &) {}); }
static float __frcp_rn(float x) { return 1.0f / x; }
static int __double2int_rn(double x) { return (int)std::nearbyint(x); }
static int __float2int_rn(float x) { return (int)std::nearbyintf(x); }
static float __fmaf_rn(float x, float y, float z) { return std::fmaf(x, y, z); }
static double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
static int __ffs(unsigned x) { return __builtin_ffs(x); }
static int __clz(int x) { return x ? __builtin_clz(x) : 32; }
static int __popc(unsigned x) { return __builtin_popcount(x); }
static void atomicAdd(int *at, int x) { *at += x; }
static void atomicOr(unsigned *at, unsigned x) { *at |= x; }
static void atomicMax(int *at, int x) { *at = std::max(*at, x); }
static void atomicMax(unsigned long long *at, unsigned long long x) { *at = std::max(*at, x); }
using std::max;
using std::min;

#include "program.h" // the source of the kernels, then a table of them

static void run(unsigned first, unsigned last, unsigned threads, size_t shared) {
	std::vector<Block> blocks(last - first);
	for (auto &b : blocks) {
		b.id = first + (&b - blocks.data()), b.alive = threads;
		b.fibers.resize(threads), b.warps.resize((threads + 31) / 32), b.shared.resize(shared + 64);
		for (unsigned k = 0; k < threads; k++) {
			Fiber &f = b.fibers[k];
			f.block = &b, f.tid = k, f.finished = false, f.stack = (char *)malloc(stackBytes);
			begin(f);
		}
	}
	for (bool busy = true; busy;) {
		busy = false;
		for (auto &b : blocks)
			for (auto &f : b.fibers)
				if (!f.finished) {
					busy = true, now = &f;
					change(&home, f.sp);
				}
	}
	for (auto &b : blocks)
		for (auto &f : b.fibers) free(f.stack);
}

extern "C" int launch(const char *name, unsigned grid, unsigned threads, size_t shared, int together, const void *p) {
	body = kernel_of(name, p);
	if (!body) return 1;
	gridDim.x = grid, blockDim.x = threads;
	if (together) {
		run(0, grid, threads, shared);
		return 0;
	}
	for (unsigned b = 0; b < grid; b++) run(b, b + 1, threads, shared);
	return 0;
}
extern "C" void *allocate(size_t n) { return calloc(1, n); }
extern "C" void release(void *p) { free(p); }
extern "C" void transfer(void *to, const void *from, size_t n) { memcpy(to, from, n); }
extern "C" void fill(void *to, int x, size_t n) { memset(to, x, n); }
