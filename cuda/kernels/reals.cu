// Layers of real units: products in float32 with fused multiply-add, in the order of package kernel, and draws from
// fields that are already computed, with its functions and roundings.

struct Narrow {
	const double *w;
	float *out; // a row per channel that sends
	int rows, cols, fromStep, toStep;
};

extern "C" __global__ void narrow(const Narrow p) {
	size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= (size_t)p.rows * p.cols) return;
	int i = (int)(k / p.cols), j = (int)(k % p.cols);
	p.out[k] = (float)p.w[(size_t)i * p.fromStep + (size_t)j * p.toStep];
}

struct Dense {
	const float *in, *w, *first; // first: what the sums begin with, or null
	float *out;
	int rows, inner, cols, inStride;
};

#define SIDE 64
#define DEPTH 16

// dense multiplies tiles of 64×64, 4×4 per thread; every sum has the order of the inputs.
extern "C" __global__ void __launch_bounds__(256) dense(const Dense p) {
	SHARED(shared);
	float *a = (float *)shared, *b = a + DEPTH * (SIDE + 1); // [k][row], [k][column]
	int across = (p.cols + SIDE - 1) / SIDE;
	int row0 = blockIdx.x / across * SIDE, col0 = blockIdx.x % across * SIDE;
	int tr = threadIdx.x / 16 * 4, tc = threadIdx.x % 16 * 4;
	float sum[4][4];
#pragma unroll
	for (int r = 0; r < 4; r++)
#pragma unroll
		for (int c = 0; c < 4; c++) sum[r][c] = p.first && col0 + tc + c < p.cols ? p.first[col0 + tc + c] : 0;
	for (int k0 = 0; k0 < p.inner; k0 += DEPTH) {
		for (int e = threadIdx.x; e < SIDE * DEPTH; e += 256) {
			int k = e % DEPTH, r = e / DEPTH;
			bool in = row0 + r < p.rows && k0 + k < p.inner;
			a[k * (SIDE + 1) + r] = in ? p.in[(size_t)(row0 + r) * p.inStride + k0 + k] : 0;
			int c = e % SIDE, l = e / SIDE;
			in = col0 + c < p.cols && k0 + l < p.inner;
			b[l * (SIDE + 1) + c] = in ? p.w[(size_t)(k0 + l) * p.cols + col0 + c] : 0;
		}
		__syncthreads();
		int last = min(DEPTH, p.inner - k0);
		for (int k = 0; k < last; k++)
#pragma unroll
			for (int r = 0; r < 4; r++)
#pragma unroll
				for (int c = 0; c < 4; c++)
					sum[r][c] = __fmaf_rn(a[k * (SIDE + 1) + tr + r], b[k * (SIDE + 1) + tc + c], sum[r][c]);
		__syncthreads();
	}
#pragma unroll
	for (int r = 0; r < 4; r++)
#pragma unroll
		for (int c = 0; c < 4; c++)
			if (row0 + tr + r < p.rows && col0 + tc + c < p.cols)
				p.out[(size_t)(row0 + tr + r) * p.cols + col0 + tc + c] = sum[r][c];
}

enum { DRAW_BIT, DRAW_STATE, DRAW_GAUSSIAN, DRAW_RELU, DRAW_DRELU };

struct DrawUnits {
	const int *fixed; // fields of discrete senders,
	const float *scale;
	const float *reals; // or those of real ones
	u32 *out;
	const float *parameters; // five arrays of as many numbers as there are units
	Layer layer;
	int rows, stride, outStride, kind; // stride: of fields
	float factor;					   // of the fields of discrete units: log2(e), twice that for spins
	u32 key0, key1, chain, sweep, purpose;
};

__device__ __forceinline__ float field_of(const DrawUnits &p, int row, int j) {
	size_t at = (size_t)row * p.stride + j;
	return p.fixed ? (float)p.fixed[at] * *p.scale : p.reals[at];
}

__device__ __forceinline__ float polynomial4(float x, float c0, float c1, float c2, float c3) {
	return (c0 + c1 * x) + (c2 + c3 * x) * (x * x);
}

__device__ __forceinline__ float polynomial9(float x, const float c[9]) {
	float x2 = x * x, x4 = x2 * x2;
	float low = (c[0] + c[1] * x) + (c[2] + c[3] * x) * x2;
	float high = (c[4] + c[5] * x) + (c[6] + c[7] * x) * x2;
	high += c[8] * x4;
	return low + high * x4;
}

__device__ __forceinline__ float log2_of(float x) {
	int b = __float_as_int(x), e = (b - 0x3f3504f3) >> 23;
	float r = __int_as_float(b - (int)((u32)e << 23)) - 1.0f, r2 = r * r;
	float low = (1.442694902420044f + -0.7213528156280518f * r) + (0.48092323541641235f + -0.3602396249771118f * r) * r2;
	float high = (0.2870987057685852f + -0.24887686967849731f * r) + (0.23404234647750854f + -0.14581164717674255f * r) * r2;
	return (float)e + r * (low + high * (r2 * r2));
}

__device__ __forceinline__ float uniform_of(u32 word) { return ((float)(int)(word >> 1) + 0.5f) * (1.0f / 2147483648.0f); }

__device__ __forceinline__ float flip(float x, u32 s) { return __int_as_float(__float_as_int(x) ^ (int)(s & 0x80000000u)); }

// normal_pair makes two standard normal numbers by the Box–Muller method.
__device__ __forceinline__ void normal_pair(u32 radius, u32 angle, float &x, float &y) {
	float r = __fsqrt_rn(log2_of(uniform_of(radius)) * (float)(-2 * 0.6931471805599453));
	u32 turned = angle + (1u << 29);
	float g = (float)(int)(angle - (turned & 0xc0000000u)) * (1.0f / 1073741824.0f), g2 = g * g;
	float s = g * polynomial4(g2, 1.5707963705062866f, -0.6459634900093079f, 0.07968003302812576f, -0.004601657390594482f);
	float c = polynomial4(g2, 1.0f, -1.2336970567703247f, 0.2535986304283142f, -0.020408350974321365f);
	if (turned & (1u << 30)) {
		float t = s;
		s = c, c = t;
	}
	x = r * flip(c, turned + (1u << 30)), y = r * flip(s, turned);
}

#define LN2 0.6931471805599453f
#define HALF_LOG2E 0.7213475204444817f

__device__ __forceinline__ float mills(float z) {
	const float c[9] = {0.9999998211860657f, 3.5000195503234863f, 11.252700805664062f, 32.112152099609375f,
						87.7444076538086f, 24.852540969848633f, 1137.788330078125f, -4798.83154296875f,
						4817.08837890625f};
	float t = __frcp_rn(z + 3.5f);
	return t * polynomial9(t, c);
}

__device__ __forceinline__ float log_mills(float a) {
	float z = fmaxf(a, -a), m = mills(z);
	if (a >= 0) return log2_of(m);
	float c = z * z * HALF_LOG2E;
	return c + log2_of(2.5066282746310002f - m * exp2_down(-c));
}

__device__ __forceinline__ float quantile_near(float a, float z, float m, float u, float rest) {
	const float near[9] = {2.2179200649261475f, 0.23928293585777283f, -0.0034697321243584156f, -0.0004809460951946676f,
						   6.810962804593146e-05f, -2.0643024072342087e-06f, -4.1960063867918507e-07f,
						   3.838414386336808e-08f, 8.907495296917034e-10f};
	const float tailed[9] = {5.068497657775879f, 1.1876119375228882f, 0.0020410106517374516f, -0.0010647018207237124f,
							 0.00034101674100384116f, -0.00013759391731582582f, 0.00010118437057826668f,
							 -5.008013249607757e-05f, 9.211147698806599e-06f};
	float tail = exp2_down(-(z * z * HALF_LOG2E)) * 0.3989422804014327f * m;
	float upper = tail, lower = 1.0f - tail;
	if (!(a >= 0)) {
		float t = upper;
		upper = lower, lower = t;
	}
	float p = u * upper, q = rest + u * lower;
	float w = -log2_of(p * q * 4.0f);
	float r = w < 8.0f ? polynomial9(w - 4.0f, near) : polynomial9(__fsqrt_rn(w) - 4.5f, tailed);
	return fmaxf((q - p) * r - a, 0.0f);
}

__device__ __forceinline__ float quantile_far(float a, float m, float u) {
	a = fminf(a, 1e9f);
	float t = log2_of(u) * -LN2, a2 = a * a, least = t * (m * a);
	float x2 = a2 + (least + least), x = __fsqrt_rn(x2), mx = mills(x), xm = x * mx;
	float f = (least - log2_of(mx / m) * LN2) - t;
	float step = f * xm, bend = ((1.0f - xm) - xm / x2) / (xm + xm);
	float v = least - step / (1.0f - step * bend);
	v = fminf(fmaxf(v, least), t);
	return (v + v) / (a + __fsqrt_rn(a2 + (v + v)));
}

__device__ __forceinline__ float half_quantile(float a, u32 word) {
	float z = fmaxf(a, -a), m = mills(z), u = uniform_of(word);
	return a >= 3.0f ? quantile_far(a, m, u) : quantile_near(a, z, m, u, uniform_of(~word));
}

__device__ __forceinline__ u32 pick_word(const u32 w[4], int k) {
	return k == 0 ? w[0] : k == 1 ? w[1] : k == 2 ? w[2] : w[3];
}

// draw_state draws a Potts state from fields that are already computed.
__device__ __forceinline__ int draw_state(const DrawUnits &p, int row, int unit, u32 word) {
	int q = p.layer.states;
	float top = field_of(p, row, unit * q) * p.factor, sum = 0, reached = 0;
	for (int a = 1; a < q; a++) top = fmaxf(top, field_of(p, row, unit * q + a) * p.factor);
	for (int a = 0; a < q; a++) sum += exp2_down(field_of(p, row, unit * q + a) * p.factor - top);
	float t = (float)(int)(word >> 8) * (1.0f / 16777216.0f) * sum;
	int state = 0;
	for (int a = 0; a < q; a++) {
		reached += exp2_down(field_of(p, row, unit * q + a) * p.factor - top);
		state += reached <= t;
	}
	return state;
}

// draw_units draws a warp of units of one row: 32 two-state or real units, or all Potts units of a row in turns.
extern "C" __global__ void draw_units(const __grid_constant__ DrawUnits p) {
	int warps = p.kind == DRAW_STATE ? 1 : (p.layer.units + 31) / 32;
	int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	int row = warp / warps, i = warp % warps * 32 + lane, n = p.layer.units;
	if (row >= p.rows) return;
	Stream s = {p.key0, p.key1, p.chain, p.sweep, p.purpose};
	u32 *out = p.out + (size_t)row * p.outStride;
	u32 w[4];
	if (p.kind == DRAW_STATE) {
		for (int word = lane; word < p.layer.positions / 32; word += 32) out[word] = 0;
		__syncwarp();
		for (; i < n; i += 32) {
			words_of(w, s, i / 4, row);
			int at = i / p.layer.perGroup * p.layer.group + i % p.layer.perGroup * p.layer.states;
			at += draw_state(p, row, i, pick_word(w, i % 4));
			atomicOr(&out[at / 32], 1u << (at % 32));
		}
		return;
	}
	if (p.kind == DRAW_BIT) {
		words_of(w, s, i / 4, row);
		bool set = i < n && draw_bit(field_of(p, row, min(i, n - 1)) * p.factor, pick_word(w, i % 4));
		u32 bits = __ballot_sync(0xffffffffu, set);
		if (lane == 0) out[i / 32] = bits;
		return;
	}
	if (i >= n) return;
	float x = field_of(p, row, i), y, z;
	const float *a = p.parameters;
	if (p.kind == DRAW_GAUSSIAN) {
		words_of(w, s, i / 4, row);
		normal_pair(i % 4 < 2 ? w[0] : w[2], i % 4 < 2 ? w[1] : w[3], y, z);
		y = (a[i] * x + a[n + i]) + a[2 * n + i] * (i % 2 ? z : y);
	} else if (p.kind == DRAW_RELU) {
		words_of(w, s, i / 4, row);
		y = a[i] * half_quantile(a[n + i] - a[i] * x, pick_word(w, i % 4));
	} else {
		words_of(w, s, i / 2, row);
		u32 side = i % 2 ? w[2] : w[0], distance = i % 2 ? w[3] : w[1];
		float right = a[n + i] - a[i] * x, left = a[3 * n + i] + a[2 * n + i] * x;
		if (draw_bit((log_mills(right) - log_mills(left)) + a[4 * n + i], side))
			y = a[i] * half_quantile(right, distance);
		else
			y = -(a[2 * n + i] * half_quantile(left, distance));
	}
	out[i] = (u32)__float_as_int(y);
}
