// Weights in fixed point, as internal/kernel rounds them, from parameters in float64 on the device.

// Fixed is what the weights of both directions (0: to the hidden, 1: to the visible units) are stored with.
struct Fixed {
	u64 worst[2];	// the largest absolute field, as the bits of a double
	u64 exact;		// that of the hidden units, where worst is not certain enough
	float scale[2]; // the value of one unit of a field
	int bad;		// a sum is not finite
	int nearly;		// worst of the hidden units was summed in another order
};

// certain tells whether a sum in another order would have the same exponent.
__device__ __forceinline__ bool certain(u64 worst) {
	double x = __longlong_as_double((long long)worst);
	return (u64)__double_as_longlong(x * (1 - 1e-11)) >> 52 == (u64)__double_as_longlong(x * (1 + 1e-11)) >> 52;
}

// worst_of is the largest absolute field of a side, up to what does not change its exponent.
__device__ __forceinline__ u64 worst_of(const Fixed &f, int side) {
	return side == 0 && f.nearly && !certain(f.worst[0]) ? f.exact : f.worst[side];
}

struct Bounds {
	const double *w;
	const double *hidden, *visible; // fields; null of real units
	Fixed *fixed;
	int rows, cols;			   // channels of the visible and the hidden units
	int visibleStates, hiddenStates; // 1 for units of two states
};

__device__ __forceinline__ void raise_worst(Fixed *f, u64 *worst, double plain, double sum) {
	if (!(plain <= 1.7976931348623157e308)) f->bad = 1; // not finite
	atomicMax(worst, (u64)__double_as_longlong(sum));
}

#define BATCH 56

// bound_column sums the absolute weights of a hidden channel in the order of the visible ones; of a Potts unit only the
// largest counts.
__device__ __forceinline__ void bound_column(const Bounds &b, int j, u64 *worst) {
	double plain = 0, sum = 0, field = b.hidden ? fabs(b.hidden[j]) : 0;
	const double *w = b.w + j;
	for (int i = 0; i < b.rows; i += BATCH) { // many loads at a time
		double x[BATCH];
#pragma unroll
		for (int k = 0; k < BATCH; k++) x[k] = i + k < b.rows ? w[(size_t)(i + k) * b.cols] : 0;
#pragma unroll
		for (int k = 0; k < BATCH; k++) plain += fabs(x[k]);
	}
	sum = plain;
	if (b.visibleStates > 1) {
		sum = 0;
		for (int i = 0; i < b.rows; i += b.visibleStates) {
			double largest = 0;
			for (int a = 0; a < b.visibleStates; a++) largest = fmax(largest, fabs(w[(size_t)(i + a) * b.cols]));
			sum += largest;
		}
	}
	raise_worst(b.fixed, worst, plain + field, sum + field);
}

// bound_row does the same for a visible channel: four lanes, or the largest of each Potts unit in order. Four threads
// work on a channel.
__device__ __forceinline__ void bound_row(const Bounds &b, int i, int lane) {
	const double *w = b.w + (size_t)i * b.cols;
	int whole = b.cols & ~3;
	double plain = 0;
#pragma unroll 16
	for (int j = lane; j < whole; j += 4) plain += fabs(w[j]);
	if (lane == 0)
		for (int j = whole; j < b.cols; j++) plain += fabs(w[j]);
	plain += __shfl_xor_sync(0xffffffffu, plain, 1);
	plain += __shfl_xor_sync(0xffffffffu, plain, 2);
	if (lane) return;
	double sum = plain, field = b.visible ? fabs(b.visible[i]) : 0;
	if (b.hiddenStates > 1) {
		sum = 0;
		for (int j = 0; j < b.cols; j += b.hiddenStates) {
			double largest = 0;
			for (int a = 0; a < b.hiddenStates; a++) largest = fmax(largest, fabs(w[j + a]));
			sum += largest;
		}
	}
	raise_worst(b.fixed, &b.fixed->worst[1], plain + field, sum + field);
}

// bound finds the largest fields: threads for the hidden channels, then four for each visible one.
extern "C" __global__ void bound(const __grid_constant__ Bounds b) {
	int k = blockIdx.x * blockDim.x + threadIdx.x, hidden = (b.cols + 31) / 32 * 32;
	if (k < hidden) {
		if (k < b.cols) bound_column(b, k, &b.fixed->worst[0]);
		return;
	}
	k -= hidden;
	bound_row(b, min(k / 4, b.rows - 1), k % 4);
}

// bound_again sums the weights of the hidden channels in order, where sums in another order are not certain enough.
extern "C" __global__ void bound_again(const __grid_constant__ Bounds b) {
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j < b.cols && b.fixed->nearly && !certain(b.fixed->worst[0])) bound_column(b, j, &b.fixed->exact);
}

// shift_for is the number of binary places that keeps fields up to the given size below 2^30.
__device__ __forceinline__ int shift_for(u64 size) {
	int exponent = size ? (int)(size >> 52) - 1022 : 0;
	return min(30 - exponent, 60);
}

struct Quantise {
	const double *w;
	const double *fields; // of the layer that receives, or null
	Fixed *fixed;
	u8 *fragments;
	int *need, *sums, *base;
	Layer from, to;
	int fromStep, toStep; // from one channel to the next in w
	int chunks, side, spin, pad; // spin: the units that send are ±1
};

// quantise stores the digits of 32 inputs by 64 outputs.
extern "C" __global__ void quantise(const __grid_constant__ Pair<Quantise> both) {
	const int first = both.of[0].chunks * ((both.of[0].to.positions + 63) / 64);
	const Quantise &q = both.of[blockIdx.x >= first];
	const int block = blockIdx.x - (blockIdx.x >= first ? first : 0);
	int chunk = block % q.chunks, panel = block / q.chunks;
	int tile = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
	int out = panel * 64 + tile / 2 * 16 + g / 2 * 4 + tile % 2 * 2 + g % 2;
	int to = channel_at(q.to, out), need = 0, sum = 0;
	double unit = power(shift_for(worst_of(*q.fixed, q.side)));
	u8 *at = q.fragments + fragment_at(panel, chunk, q.chunks, tile, g) + t * 4;
#pragma unroll
	for (int r = 0; r < 2; r++) {
		int w[4];
#pragma unroll
		for (int b = 0; b < 4; b++) {
			int from = channel_at(q.from, chunk * 32 + bit_of(t, r, b)), x = 0;
			if (from >= 0 && to >= 0)
				x = __double2int_rn(q.w[(size_t)from * q.fromStep + (size_t)to * q.toStep] * unit);
			w[b] = x;
			sum += x;
		}
		u32 reg[4];
		pack_digits<4>(reg, w, need);
#pragma unroll
		for (int k = 0; k < 4; k++) *(u32 *)(at + k * DIGIT + r * 128) = reg[k];
	}
	if (q.spin && sum) atomicAdd(&q.sums[out], sum);
	int third = __syncthreads_or(need >= 1), fourth = __syncthreads_or(need >= 2);
	if (threadIdx.x == 0) q.need[(size_t)panel * ((q.chunks + 3) / 4 * 4) + chunk] = (third ? 1 : 0) + (fourth ? 1 : 0);
}

// set_base rounds the fields; for inputs ±1 it is (b − Σw)/2, in units twice as large.
extern "C" __global__ void set_base(const __grid_constant__ Pair<Quantise> both) {
	int out = blockIdx.x * blockDim.x + threadIdx.x, first = both.of[0].to.positions;
	const Quantise &q = both.of[out >= first];
	if (out >= first) out -= first;
	if (q.fixed == nullptr) return; // there is no second one
	int shift = shift_for(worst_of(*q.fixed, q.side));
	if (out == 0) q.fixed->scale[q.side] = (float)power(-shift) * (q.spin ? 2.0f : 1.0f);
	if (out >= q.to.positions) return;
	int to = channel_at(q.to, out), b = 0;
	if (to >= 0 && q.fields) b = __double2int_rn(q.fields[to] * power(shift));
	if (q.spin) {
		b = (b - q.sums[out]) >> 1;
		q.sums[out] = 0; // for the next time
	}
	q.base[out] = b;
}
