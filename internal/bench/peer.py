"""Sweeps of alternating Gibbs sampling, and updates of PCD, as users of Python write them.

Arguments: peer, visible layer, hidden layer, chains, threads, sweeps of an update (0: sweeps
alone). Says "ready", then for every number of times on standard input answers with the seconds
they took.
"""
import sys
import time

peer, visible, hidden = sys.argv[1:4]
chains, threads, k = (int(x) for x in sys.argv[4:7])
vtype, vsize = visible.split(":")
htype, hsize = hidden.split(":")
M = int(hsize)
N, q = ([int(x) for x in vsize.split("x")] + [1])[:2]
rows = N * q


def torch_natural():
    import torch
    from torch.nn.functional import one_hot

    torch.set_num_threads(threads)
    W = torch.randn(rows, M) / N**0.5
    b, c = torch.zeros(rows), torch.zeros(M)

    def draw(kind, x):
        if kind == "bernoulli":
            return torch.bernoulli(torch.sigmoid(x))
        if kind == "spin":
            return 2 * torch.bernoulli(torch.sigmoid(2 * x)) - 1
        if kind == "gaussian":
            return x + torch.randn_like(x)
        p = torch.softmax(x.view(chains, N, q), -1)
        s = torch.multinomial(p.view(-1, q), 1).view(chains, N)
        return one_hot(s, q).to(torch.float32).view(chains, rows)

    v = draw(vtype, torch.zeros(chains, rows))

    def sweep():
        nonlocal v
        h = draw(htype, v @ W + c)
        v = draw(vtype, h @ W.T + b)

    if k == 0:
        return sweep
    data = draw(vtype, torch.zeros(4 * chains, rows))
    batch = 0

    def update():
        nonlocal W, b, c, batch
        x = data[batch * chains : (batch + 1) * chains]
        batch = (batch + 1) % 4
        for _ in range(k):
            sweep()
        up, down = torch.sigmoid(x @ W + c), torch.sigmoid(v @ W + c)
        W = W + 1e-5 * (x.T @ up - v.T @ down) / chains
        b = b + 1e-5 * (x.mean(0) - v.mean(0))
        c = c + 1e-5 * (up.mean(0) - down.mean(0))

    return update


def torch_best():
    """No temporaries, noise compared instead of bernoulli(), rows gathered for Potts units."""
    import torch
    from torch.nn.functional import embedding_bag

    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    W = torch.randn(rows, M) / N**0.5
    WT = W.T.contiguous()
    b, c = torch.zeros(rows), torch.zeros(M)
    H, RH = torch.empty(chains, M), torch.empty(chains, M)
    V, RV = torch.empty(chains, rows), torch.empty(chains, rows)

    def draw(kind, x, noise):
        if kind == "gaussian":
            noise.normal_()
            x.add_(noise)
            return x
        if kind == "spin":
            x.mul_(2)
        x.sigmoid_()
        noise.uniform_()
        torch.lt(noise, x, out=x)
        if kind == "spin":
            x.mul_(2).sub_(1)
        return x

    if vtype == "potts":
        offsets = (torch.arange(N) * q).repeat(chains, 1)
        state = torch.randint(q, (chains, N))

        def sweep():
            nonlocal state
            torch.add(embedding_bag(state + offsets, W, mode="sum"), c, out=H)
            draw(htype, H, RH)
            torch.addmm(b, H, WT, out=V)
            RV.exponential_().log_()  # Gumbel noise, up to a sign
            V.sub_(RV)
            state = V.view(chains, N, q).argmax(-1)

        return sweep

    draw(vtype, V.zero_(), RV)

    def sweep():
        torch.addmm(c, V, W, out=H)
        draw(htype, H, RH)
        torch.addmm(b, H, WT, out=V)
        draw(vtype, V, RV)

    return sweep


def torch_cuda(graph=False, tf32=False):
    """The natural code on a GPU; with graph its kernels are recorded once and repeated."""
    import torch
    from torch.nn.functional import one_hot

    torch.set_grad_enabled(False)
    torch.backends.cuda.matmul.allow_tf32 = tf32
    torch.set_default_device("cuda")
    W = torch.randn(rows, M) / N**0.5
    b, c = torch.zeros(rows), torch.zeros(M)

    def draw(kind, x):
        if kind == "bernoulli":
            return torch.bernoulli(torch.sigmoid(x))
        p = torch.softmax(x.view(chains, N, q), -1)
        s = (p / torch.empty_like(p).exponential_()).argmax(-1)
        return one_hot(s, q).to(torch.float32).view(chains, rows)

    v = draw(vtype, torch.zeros(chains, rows))
    data = torch.bernoulli(torch.full((4, chains, rows), 0.5)) if k else None

    def sweep():
        h = draw(htype, torch.addmm(c, v, W))
        v.copy_(draw(vtype, torch.addmm(b, h, W.T)))

    def update(x):
        for _ in range(k):
            sweep()
        up, down = torch.sigmoid(torch.addmm(c, x, W)), torch.sigmoid(torch.addmm(c, v, W))
        W.add_(x.T @ up - v.T @ down, alpha=1e-5 / chains)
        b.add_(x.mean(0) - v.mean(0), alpha=1e-5)
        c.add_(up.mean(0) - down.mean(0), alpha=1e-5)

    works = [sweep] if k == 0 else [lambda x=x: update(x) for x in data]
    if graph:
        recorded = []
        for work in works:
            for _ in range(3):
                work()
            torch.cuda.synchronize()
            g = torch.cuda.CUDAGraph()
            with torch.cuda.graph(g):
                work()
            recorded.append(g.replay)
        works = recorded
    turn = 0

    def run():
        nonlocal turn
        works[turn]()
        turn = (turn + 1) % len(works)

    global finish
    finish = torch.cuda.synchronize
    return run


def finish():
    pass


def numpy_plain():
    import numpy as np

    rng = np.random.default_rng(1)
    W = rng.standard_normal((rows, M)) / N**0.5
    b, c = np.zeros(rows), np.zeros(M)
    v = (rng.random((chains, rows)) < 0.5).astype(float)

    def sweep():
        nonlocal v
        h = (rng.random((chains, M)) < 1 / (1 + np.exp(-(v @ W + c)))).astype(float)
        v = (rng.random((chains, rows)) < 1 / (1 + np.exp(-(h @ W.T + b)))).astype(float)

    return sweep


def scikit_learn():
    import numpy as np
    from sklearn.neural_network import BernoulliRBM

    rbm = BernoulliRBM(n_components=M, random_state=1)
    rng = np.random.RandomState(1)
    v = (rng.rand(chains, rows) < 0.5).astype(float)
    rbm.n_iter, rbm.batch_size = 1, chains
    rbm.fit(v)  # makes the attributes that gibbs() reads
    rbm.components_ = rng.randn(M, rows) / N**0.5

    def sweep():
        nonlocal v
        v = rbm.gibbs(v)

    return sweep


def torch_gemm():
    import torch

    torch.set_num_threads(threads)
    a, w, out = torch.rand(chains, rows), torch.rand(rows, M), torch.empty(chains, M)
    return lambda: torch.mm(a, w, out=out)


def numpy_gemm():
    import numpy as np

    a = np.random.rand(chains, rows).astype(np.float32)
    w = np.random.rand(rows, M).astype(np.float32)
    out = np.empty((chains, M), np.float32)
    return lambda: np.matmul(a, w, out=out)


sweep = {"torch-gemm": torch_gemm, "numpy-gemm": numpy_gemm, "torch-cuda": torch_cuda, "torch-cuda-graph": lambda: torch_cuda(graph=True), "torch-cuda-tf32": lambda: torch_cuda(tf32=True), "torch-natural": torch_natural, "torch-best": torch_best, "numpy": numpy_plain, "scikit-learn": scikit_learn}[peer]()
for _ in range(3):
    sweep()
finish()
print("ready", flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    for _ in range(int(line)):
        sweep()
    finish()
    print(time.perf_counter() - start, flush=True)
