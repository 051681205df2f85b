// A step of training along the gradient, with the sums and the roundings of package train: a row of weights is a block
// of threads, and sums over a row are kept in four lanes.

// Update is what changes from update to update.
struct Update {
	u64 sweep;
	int count, first; // samples in the minibatch, and where it begins in the order
	double rate, correctU, correctS;
};

enum { MOMENTUM, RMSPROP, ADAM };

struct Step {
	double *w, *u, *s;			   // weights, and the memory of the optimiser
	double *visible, *hidden;	   // fields
	const int *positive, *negative; // ⟨vh⟩ in fixed point
	const float *scaleP, *scaleN;
	const double *vp, *vn, *hp, *hn; // ⟨v⟩ and ⟨h⟩
	double *lambda, *variance;		 // running averages
	const double *mu, *sigma;
	double *steps;							// of the weights
	double *squares, *weights, *products; // sums over each row: of squares of the gradient, of weights, of steps·λ
	double *absolute;					   // and of absolute weights
	double *pieces;						   // fields on the hidden units from each piece of rows
	double *columns;					   // and the sums of their absolute weights
	double *norms;						   // of the gradient, of its part in the layers, of the weights
	const Update *update;
	Fixed *fixed;
	double clip, keepU, takeU, keepS, takeS, epsilon, chains, l1, l2, fieldL2;
	int rows, cols, stride, optimizer, centred, standardised, spin, pad;
};

#define PIECE 64
#define LEAST 0.05
#define RUNNING 0.01

__device__ __forceinline__ double on_visible(const Step &p, int i) {
	double g = p.vp[i] - p.vn[i];
	return p.fieldL2 != 0 ? g + -p.fieldL2 * p.visible[i] : g;
}

// turn clips a derivative and makes it a step.
__device__ __forceinline__ double turn(const Step &p, double g, size_t at) {
	if (p.clip > 0 && g == g) g = fmin(fmax(g, -p.clip), p.clip);
	const Update &n = *p.update;
	if (p.optimizer == MOMENTUM) {
		double u = p.keepU * p.u[at] + g;
		p.u[at] = u;
		return n.rate * u;
	}
	double s = p.keepS * p.s[at] + p.takeS * g * g;
	p.s[at] = s;
	if (p.optimizer == RMSPROP) return n.rate * g / (p.epsilon + sqrt(s * n.correctS));
	double u = p.keepU * p.u[at] + p.takeU * g;
	p.u[at] = u;
	return n.rate * u * n.correctU / (p.epsilon + sqrt(s * n.correctS));
}

__device__ __forceinline__ double shrink(double g, double w, double l1) {
	return w != 0 ? g - copysign(l1, w) : g;
}

// lane_sum is one of four lanes of a sum over n numbers.
__device__ __forceinline__ double lane_sum(const double *x, int n, int lane) {
	int whole = n & ~3;
	double sum = 0;
#pragma unroll 8
	for (int j = lane; j < whole; j += 4) sum += x[j];
	if (lane == 0)
		for (int j = whole; j < n; j++) sum += x[j];
	return sum;
}

extern "C" __global__ void step_rows(const __grid_constant__ Step p) {
	SHARED(shared);
	double *gradient = (double *)shared, *weights = gradient + p.cols, *products = weights + p.cols;
	double *absolute = products + p.cols;
	const int i = blockIdx.x;
	if (i == 0 && threadIdx.x == 0) // what step_layers raises
		p.fixed->worst[0] = p.fixed->worst[1] = p.fixed->exact = 0, p.fixed->bad = 0, p.fixed->nearly = 1;
	const double toP = 1 / (double)p.update->count * (double)*p.scaleP, toN = -1 / p.chains * (double)*p.scaleN;
	const double a = on_visible(p, i), b = p.mu[i];
	for (int j = threadIdx.x; j < p.cols; j += blockDim.x) {
		size_t at = (size_t)i * p.cols + j;
		double g = (double)p.positive[(size_t)i * p.stride + j] * toP;
		g += (double)p.negative[(size_t)i * p.stride + j] * toN;
		double w = p.w[at];
		if (p.l1 != 0) g = shrink(g, w, p.l1);
		if (p.l2 != 0) g += -p.l2 * w;
		gradient[j] = g * g;
		double lambda = p.lambda[j], scale = 1;
		if (p.centred) g -= a * lambda + b * (p.hp[j] - p.hn[j]);
		if (p.standardised) {
			scale = 1 / (p.sigma[i] * fmax(sqrt(fmax(p.variance[j], 0.0)), LEAST));
			g *= scale;
		}
		g = turn(p, g, at);
		if (p.standardised) g *= scale;
		w += g;
		p.w[at] = w;
		weights[j] = w * w;
		products[j] = g * lambda;
		absolute[j] = fabs(w);
		p.steps[at] = g;
	}
	__syncthreads();
	if (threadIdx.x >= 32) return;
	double sum = lane_sum(gradient + threadIdx.x / 4 % 4 * p.cols, p.cols, threadIdx.x % 4);
	sum += __shfl_xor_sync(0xffffffffu, sum, 1);
	sum += __shfl_xor_sync(0xffffffffu, sum, 2);
	if (threadIdx.x == 0) p.squares[i] = sum;
	if (threadIdx.x == 4) p.weights[i] = sum;
	if (threadIdx.x == 8) p.products[i] = sum;
	if (threadIdx.x == 12) p.absolute[i] = sum;
}

// ordered_sum adds numbers in their order.
__device__ __forceinline__ double ordered_sum(const double *x, int n) {
	double sum = 0;
#pragma unroll 16
	for (int i = 0; i < n; i++) sum += x[i];
	return sum;
}

// norms computes the norms before the fields change; four warps, each with a sum of its own, from shared memory.
__device__ __forceinline__ void norms(const Step &p, u8 *shared) {
	double *part = (double *)shared, *squares = part + 4, *weights = squares + p.rows, *visible = weights + p.rows,
		   *hidden = visible + p.rows;
	for (int i = threadIdx.x; i < p.rows; i += blockDim.x) {
		double g = on_visible(p, i);
		squares[i] = p.squares[i], weights[i] = p.weights[i], visible[i] = g * g;
	}
	for (int j = threadIdx.x; j < p.cols; j += blockDim.x) {
		double g = p.hp[j] - p.hn[j];
		hidden[j] = g * g;
	}
	__syncthreads();
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	double sum = 0;
	if (warp == 0 && lane == 0) sum = ordered_sum(squares, p.rows);
	if (warp == 1 && lane == 0)
		for (int first = 0; first < p.rows; first += PIECE) sum += ordered_sum(weights + first, min(PIECE, p.rows - first));
	if (warp == 2 && lane < 4) sum = lane_sum(visible, p.rows, lane);
	if (warp == 3 && lane < 4) sum = lane_sum(hidden, p.cols, lane);
	if (warp == 2 || warp == 3) {
		sum += __shfl_xor_sync(0xffffffffu, sum, 1);
		sum += __shfl_xor_sync(0xffffffffu, sum, 2);
	}
	if (lane == 0 && warp < 4) part[warp] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		p.norms[0] = sqrt(part[0] + part[2] + part[3]);
		p.norms[1] = sqrt(part[2] + part[3]);
		p.norms[2] = sqrt(part[1]);
	}
}

// step_pieces sums, for a piece of rows, the fields on the hidden units that compensate its steps, and its absolute
// weights; the first block does the norms.
extern "C" __global__ void step_pieces(const __grid_constant__ Step p) {
	SHARED(shared);
	if (blockIdx.x == 0) {
		norms(p, shared);
		return;
	}
	int across = (p.cols + blockDim.x - 1) / blockDim.x, block = blockIdx.x - 1;
	int piece = block / across, j = block % across * blockDim.x + threadIdx.x;
	if (j >= p.cols) return;
	double sum = 0, column = 0;
	int last = min((piece + 1) * PIECE, p.rows);
#pragma unroll 16
	for (int i = piece * PIECE; i < last; i++) {
		sum -= p.mu[i] * p.steps[(size_t)i * p.cols + j];
		column += fabs(p.w[(size_t)i * p.cols + j]);
	}
	p.pieces[(size_t)piece * p.cols + j] = sum;
	p.columns[(size_t)piece * p.cols + j] = column;
}

// step_layers moves the fields and the running averages.
extern "C" __global__ void step_layers(const __grid_constant__ Step p) {
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	size_t at = (size_t)p.rows * p.cols + k;
	if (k < p.rows) {
		double field = p.visible[k], g = turn(p, on_visible(p, k), at);
		field += g;
		if (p.centred) field += -p.products[k];
		p.visible[k] = field;
		double bound = p.absolute[k] + fabs(field);
		raise_worst(p.fixed, &p.fixed->worst[1], bound, bound);
		return;
	}
	int j = k - p.rows;
	if (j >= p.cols) return;
	double field = p.hidden[j] + turn(p, p.hp[j] - p.hn[j], at), sum = 0, column = 0;
	for (int first = 0, piece = 0; first < p.rows; first += PIECE, piece++) {
		sum += p.pieces[(size_t)piece * p.cols + j];
		column += p.columns[(size_t)piece * p.cols + j];
	}
	if (p.centred) field += sum;
	p.hidden[j] = field;
	column += fabs(field);
	raise_worst(p.fixed, &p.fixed->worst[0], column, column);
	double h = p.hp[j], variance = (p.spin ? 1.0 : h) - h * h;
	p.lambda[j] += RUNNING * (h - p.lambda[j]);
	p.variance[j] += RUNNING * (variance - p.variance[j]);
}
