"""Makes the models of other programs in this folder, and expected.json with their energies of some configurations.

    /usr/bin/python3 make.py

scikit-learn, joblib and PyTorch wrote their files themselves (scikit-learn 1.2.1, PyTorch 1.13), and the energies of
scikit-learn are its own. rbms, RestrictedBoltzmannMachines.jl, PGM and safetensors could not be installed: their files
are written here by h5py 3.7 and pickle, after the layouts in their sources, and the energies by their formulas.
"""
import json, pickle, struct, sys, types

import h5py, joblib, numpy as np, torch
from scipy.special import log_ndtr
from sklearn.neural_network import BernoulliRBM

rng = np.random.default_rng(16)
expected = {}


def softplus(x):
    return np.logaddexp(0, x).sum(-1)


def cgf_half(gamma, slope):
    "log of the integral of exp(-gamma x^2/2 - slope x) over x > 0"
    return 0.5 * np.log(2 * np.pi / gamma) + slope**2 / (2 * gamma) + log_ndtr(-slope / np.sqrt(gamma))


def cgf_drelu(I, gp, gm, tp, tm):
    "PGM's potential: gp h^2/2 + tp h for h > 0, gm h^2/2 - tm h for h < 0"
    return np.logaddexp(cgf_half(gp, tp - I), cgf_half(gm, tm + I)).sum(-1)


def note(name, v, energy):
    expected[name] = {"v": np.asarray(v).astype(float).tolist(), "energy": np.asarray(energy, dtype=float).tolist()}


def one_hot(v, q):
    return np.eye(q)[v]


N, M, Q = 6, 3, 4
W = rng.normal(size=(N, M)).astype("f4")
b = rng.normal(size=N).astype("f4")
c = rng.normal(size=M).astype("f4")
WP = rng.normal(size=(N, Q, M)).astype("f4")
bP = rng.normal(size=(N, Q)).astype("f4")
v01 = rng.integers(0, 2, size=(5, N))
spins = 2 * v01 - 1
vP = rng.integers(0, Q, size=(5, N))
IP = np.einsum("kia,iam->km", one_hot(vP, Q), WP)
EP = np.einsum("kia,ia->k", one_hot(vP, Q), bP)


# rbms: two updates, of which the last is the model
def rbms(name, kind, w, vb, hb):
    with h5py.File(name, "w") as f:
        for update, scale in [(10, 0.5), (200, 1.0)]:
            g = f.create_group(f"update_{update}")
            p = g.create_group("params")
            for key, x in [("weight_matrix", w), ("vbias", vb), ("hbias", hb)]:
                p[key] = (scale * x).astype("f4")
                g[key] = p[key]
            g["time"] = 1.5
        f["parallel_chains"] = np.zeros((2, N), "f4")
        f["model_type"] = kind


rbms("rbms_bernoulli.h5", "BBRBM", W, b, c)
note("rbms_bernoulli.h5", v01, -v01 @ b - softplus(c + v01 @ W))
rbms("rbms_potts.h5", "PBRBM", WP, bP, c)
note("rbms_potts.h5", vP, -EP - softplus(c + IP))
rbms("rbms_ising.h5", "IIRBM", W, b, c)
x = c + spins @ W
note("rbms_ising.h5", spins, -spins @ b - np.logaddexp(x, -x).sum(1))
rbms("rbms_gaussian.h5", "BGRBM", W, b, c)
note("rbms_gaussian.h5", v01, -v01 @ b - ((c + v01 @ W) ** 2).sum(1) / (2 * N))

# RestrictedBoltzmannMachines.jl: Julia's order of dimensions is the reverse of that of h5py
tp, tn, gp, gn = rng.normal(size=M), rng.normal(size=M), rng.uniform(0.5, 2, M), rng.uniform(0.5, 2, M)
gamma = 2 * gp * gn / (gp + gn)
xrelu = np.stack([(tp * gn + tn * gp) / (gp + gn), gamma, gamma * (tp - tn) / (gp + gn),
                  (gn - gp) / (gp + gn - np.abs(gn - gp))], -1)


def julia(name, rbm_type, w, visible, vpar, hidden, hpar, **more):
    with h5py.File(name, "w") as f:
        f["rbm_hdf5_file_format_version"] = np.array(b"1.0.0")
        f["rbm_type"] = np.array(rbm_type.encode())
        f.create_dataset("weights", data=w, chunks=w.shape, compression="gzip")
        f["visible_par"], f["visible_type"] = vpar, np.array(visible.encode())
        f["hidden_par"], f["hidden_type"] = hpar, np.array(hidden.encode())
        for key, x in more.items():
            f[key] = x


energy = -EP - cgf_drelu(IP, gp, gn, -tp, tn)  # here U = g h^2/2 - t h on both sides
potts = np.transpose(WP, (2, 0, 1)).astype("f8")
julia("julia_xrelu.h5", "RBM", potts, "Potts", bP[..., None], "xReLU", xrelu)
note("julia_xrelu.h5", vP, energy)
julia("julia_drelu.h5", "RBM", potts, "Potts", bP[..., None], "dReLU", np.stack([tp, tn, gp, gn], -1))
note("julia_drelu.h5", vP, energy)
ov, oh, sv, sh = rng.uniform(size=N), rng.normal(size=M), rng.uniform(0.5, 2, N), rng.uniform(0.5, 2, M)
julia("julia_standardized.h5", "StandardizedRBM", W.T.astype("f8"), "Binary", b[:, None], "Binary", c[:, None],
      offset_v=ov, offset_h=oh, scale_v=sv, scale_h=sh)
hs = np.array([[k >> m & 1 for m in range(M)] for k in range(2**M)])
joint = ((v01 - ov) / sv) @ W @ ((hs - oh) / sh).T + (v01 @ b)[:, None] + (hs @ c)[None]
note("julia_standardized.h5", v01, -np.logaddexp.reduce(joint, 1))

# PGM and ProteinMotifRBM: classes of the same names, with the attributes of a trained model
rbm_module, layer_module = types.ModuleType("rbm"), types.ModuleType("layer")
sys.modules["rbm"], sys.modules["layer"] = rbm_module, layer_module


def known(module, name):
    setattr(module, name, type(name, (), {"__module__": module.__name__}))
    return getattr(module, name)


RBM = known(rbm_module, "RBM")
Potts, DReLU, Plain = known(layer_module, "PottsLayer"), known(layer_module, "dReLULayer"), known(layer_module, "Layer")
Gauss = known(layer_module, "GaussianLayer")


def pgm(name, protocol, vclass, vattr, hclass, hattr, weights):
    m, vl, hl = RBM(), vclass(), hclass()
    vl.__dict__.update(vattr, random_state=np.random.RandomState(0))
    hl.__dict__.update(hattr, random_state=vl.random_state, type=float)
    m.__dict__.update(n_v=N, n_h=M, weights=weights, vlayer=vl, hlayer=hl, random_state=vl.random_state, beta=np.float64(1))
    with open(name, "wb") as f:
        pickle.dump(m, f, protocol=protocol)


pw = np.asfortranarray(potts)
pgm("pgm_drelu.data", 4, Potts, dict(nature="Potts", n_c=Q, fields=bP), DReLU,
    dict(nature="dReLU", gamma_plus=gp, gamma_minus=gn, theta_plus=tp, theta_minus=tn, gamma=gp, theta=tp), pw)
note("pgm_drelu.data", vP, -EP - cgf_drelu(IP, gp, gn, tp, tn))
pgm("pgm_gaussian.data", 2, Plain, dict(nature="Spin", fields=b), Gauss, dict(nature="Gaussian", gamma=gp, theta=tp), W.T)
note("pgm_gaussian.data", spins, -spins @ b - ((spins @ W - tp) ** 2 / (2 * gp)).sum(1))
pgm("motif_drelu.data", 0, Plain, dict(nature="Potts", n_c=Q, fields=bP), Plain,
    dict(nature="dReLU", a_plus=gp, a_minus=gn, theta_plus=tp, theta_minus=tn, a=gp, b=tp), potts)
note("motif_drelu.data", vP, -EP - cgf_drelu(IP, gp, gn, tp, tn))
pgm("motif_relu.data", 2, Plain, dict(nature="Bernoulli", fields=b), Plain,
    dict(nature="ReLU+", a=gp, theta_plus=tp, b=tp), W.T.astype("f8"))
note("motif_relu.data", v01, -v01 @ b - cgf_half(gp, tp - v01 @ W).sum(1))

# scikit-learn
data = (rng.uniform(size=(40, N)) < 0.3 + 0.4 * rng.integers(0, 2, size=(40, 1))).astype(float)
sk = BernoulliRBM(n_components=M, n_iter=30, random_state=0).fit(data)
with open("sklearn.pkl", "wb") as f:
    pickle.dump(sk, f)
joblib.dump(sk, "sklearn.joblib")
np.savez("sklearn.npz", components_=sk.components_, intercept_visible_=sk.intercept_visible_,
         intercept_hidden_=sk.intercept_hidden_)
for name in ["sklearn.pkl", "sklearn.joblib", "sklearn.npz"]:
    note(name, v01, sk._free_energy(v01))


# PyTorch: a module with the usual names; the weights are a view with other strides
class TorchRBM(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.W = torch.nn.Parameter(torch.tensor(W).t())
        self.v_bias = torch.nn.Parameter(torch.tensor(b))
        self.h_bias = torch.nn.Parameter(torch.tensor(c))

    def free_energy(self, v):
        return -v @ self.v_bias - torch.nn.functional.softplus(v @ self.W.t() + self.h_bias).sum(1)


net = TorchRBM()
torch.save(net.state_dict(), "torch.pt")
note("torch.pt", v01, net.free_energy(torch.tensor(v01, dtype=torch.float32)).detach().numpy())

# safetensors, by its description: a length, JSON, numbers
header, body = {}, b""
for key, x in [("rbm.weight", W), ("rbm.vbias", b), ("rbm.hbias", c)]:
    header[key] = {"dtype": "F32", "shape": list(x.shape), "data_offsets": [len(body), len(body) + x.nbytes]}
    body += x.tobytes()
text = json.dumps(header).encode()
with open("torch.safetensors", "wb") as f:
    f.write(struct.pack("<Q", len(text)) + text + body)
note("torch.safetensors", v01, -v01 @ b - softplus(c + v01 @ W))

# bare arrays
np.savez("arrays.npz", W=W, b=b, c=c)
note("arrays.npz", v01, -v01 @ b - softplus(c + v01 @ W))

# a pickle that would run a command
with open("evil.pkl", "wb") as f:
    f.write(b"\x80\x02cos\nsystem\nX\x0b\x00\x00\x00touch /tmp/x\x85R.")

with open("expected.json", "w") as f:
    json.dump(expected, f)
    f.write("\n")
