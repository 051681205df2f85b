"""Two halves of a test: `make` writes files for Go to read, `check` reads Go's."""

import io
import os
import sys
import zipfile

import numpy as np

CODES = ["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "b1"]
SHAPES = {
    "scalar": (),
    "vector": (5,),
    "matrix": (3, 4),
    "tensor": (2, 3, 4),
    "row": (1, 7),
    "nothing": (3, 0, 2),
}
META = '{"units": ["spin", "ReLU"], "Γ": 1}'.encode()


def sample(code, shape):
    i = np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.int64)
    flat = i % 3 == 0 if code == "b1" else (i * 37 - 50).astype(code)
    return flat.reshape(shape)


def make(folder):
    arrays = {}
    for code in CODES:
        for name, shape in SHAPES.items():
            a = sample(code, shape)
            arrays[f"{code}.{name}"] = a
            for order in "<>":
                for layout in "CF":
                    b = np.array(a, dtype=np.dtype(code).newbyteorder(order), order=layout)
                    for version in (1, 2, 3):
                        mark = "le" if order == "<" else "be"
                        path = os.path.join(folder, f"{code}.{name}.{mark}.{layout}.{version}.npy")
                        with open(path, "wb") as f:
                            np.lib.format.write_array(f, b, version=(version, 0))
    for save, path in ((np.savez, "stored.npz"), (np.savez_compressed, "deflated.npz")):
        path = os.path.join(folder, path)
        save(path, **arrays)
        with zipfile.ZipFile(path, "a") as z:
            z.writestr("meta.json", META)
    np.savez(os.path.join(folder, "strangers.npz"), x=np.arange(3.0), names=np.array(["a", "bc"]),
             half=np.zeros(2, "f2"), objects=np.array([{}, None], dtype=object),
             records=np.zeros(2, [("a", "f8"), ("b", "i4")]))


def same(what, got, want):
    assert got.dtype == want.dtype, f"{what}: dtype {got.dtype}, want {want.dtype}"
    assert got.shape == want.shape, f"{what}: shape {got.shape}, want {want.shape}"
    assert got.flags.c_contiguous, f"{what}: not in C order"
    assert np.array_equal(got, want), f"{what}: {got}, want {want}"


def many_headers():
    out = io.BytesIO()
    for rank in range(1, 33):
        for digits in range(19):
            shape = (10**digits,) + (1,) * (rank - 1)
            np.lib.format.write_array_header_1_0(out, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return out.getvalue()


def check(folder):
    checked = 0
    # Earlier versions may pad the header otherwise.
    same_padding = tuple(int(part) for part in np.__version__.split(".")[:2]) >= (1, 24)
    for code in CODES:
        for name, shape in SHAPES.items():
            want = sample(code, shape)
            path = os.path.join(folder, f"{code}.{name}.npy")
            same(path, np.load(path, allow_pickle=False), want)
            if same_padding:
                golden = io.BytesIO()
                np.save(golden, want)
                with open(path, "rb") as f:
                    assert f.read() == golden.getvalue(), f"{path}: not the bytes of numpy.save"
            checked += 1
    if same_padding:
        with open(os.path.join(folder, "headers"), "rb") as f:
            assert f.read() == many_headers(), "headers differ from numpy's"
    with np.load(os.path.join(folder, "all.npz"), allow_pickle=False) as z:
        names = [f"{code}.{name}" for name in sorted(SHAPES) for code in sorted(CODES)]
        assert z.files == names + ["meta.json", "empty.txt", "Γ"], z.files
        for name in names:
            code, _, shape = name.partition(".")
            same(name, z[name], sample(code, SHAPES[shape]))
            checked += 1
        assert z["meta.json"] == META, z["meta.json"]
        assert z["empty.txt"] == b"", z["empty.txt"]
        same("Γ", z["Γ"], np.array(0.5))
    with zipfile.ZipFile(os.path.join(folder, "all.npz")) as z:
        assert z.testzip() is None
    print(checked)


{"make": make, "check": check}[sys.argv[1]](sys.argv[2])
