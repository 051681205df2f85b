"""Writes earliest.h5 and latest.h5 with h5py (3.7 was used): python3 make.py"""
import h5py
import numpy as np

x = np.arange(35, dtype="f8").reshape(5, 7) / 4
for libver in ["earliest", "latest"]:
    with h5py.File(libver + ".h5", "w", libver=libver) as f:
        f["plain64"] = x
        f["plain32"] = x.astype("f4")
        f["big"] = x.astype(">f8")
        f["whole"] = np.array([-3, 1 << 40])
        f["text"] = "naïve"
        f["fixed"] = np.array("naïve".encode(), dtype="S12")
        if libver == "earliest":
            f.create_dataset("gzip", data=x, chunks=(2, 3), compression="gzip")
            f.create_dataset("shuffle", data=x, chunks=(3, 4), compression="gzip", shuffle=True, fletcher32=True)
            f.create_dataset("group/inner/chunked", data=x, chunks=(5, 2))
