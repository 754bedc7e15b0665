# SPDX-License-Identifier: MIT
"""Algorithms on tensors of torch, in place and on their device: a tensor in, a tensor out, no copy.
Argument: cells along each side."""

import sys
import time

import teff

try:
    import torch
except ImportError:
    print("torch is not there: pip install torch")
    sys.exit()

n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
device = "cuda" if torch.cuda.is_available() and "cuda:0" in teff.info() else "cpu"
A = torch.rand(n, n, dtype=torch.float64, device=device)


def best_s(run):
    found = []
    for _ in range(5):
        start = time.perf_counter()
        run()
        if device == "cuda":
            torch.cuda.synchronize()
        found.append(time.perf_counter() - start)
    return min(found)


for axis in (0, 1):
    B = teff.cumsum(A, axis=axis)
    assert isinstance(B, torch.Tensor) and torch.allclose(B, torch.cumsum(A, axis))
    moved = 2 * A.numel() * A.element_size() * 1e-9
    print(f"along axis {axis}: teff {moved / best_s(lambda: teff.cumsum(A, axis=axis, out=B)):.1f} "
          f"GB/s, torch {moved / best_s(lambda: torch.cumsum(A, axis, out=B)):.1f} GB/s")
