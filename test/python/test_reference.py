# SPDX-License-Identifier: MIT
"""Values kept in a file with which later runs are compared."""

import numpy as np
import pytest

import teff


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    def record(**arrays):
        with monkeypatch.context() as only_here:
            only_here.setenv("TEFF_RECORD", "1")
            teff.compare_with_reference(path, **arrays)
        return path
    path = tmp_path / "heat.ref"
    return record


def test_a_file_holds_cells_x_first_as_that_of_cpp_does(recorded):
    T = np.array([[0.1, 1.1], [10.1, 11.1]])
    path = recorded(T=T, n=np.arange(2, dtype=np.int32))
    assert path.read_text() == (
        "teff reference 2\nT f64 2x2\n  0,0 0.10000000000000001\n  1,0 1.1000000000000001\n"
        "  0,1 10.1\n  1,1 11.1\nn i32 2\n  0 0\n  1 1\nend\n")
    teff.compare_with_reference(path, T=T, n=np.arange(2, dtype=np.int32))
    teff.compare_with_reference(path, T=np.asfortranarray(T))
    teff.compare_with_reference(str(path), T=T.astype(np.float32))


def test_what_differs_is_told(recorded):
    T = np.ones((20, 30))
    path = recorded(T=T)
    teff.compare_with_reference(path, steps=100, T=T + 100 * np.finfo(float).eps)
    with pytest.raises(teff.Error, match=r"'T' of 30x20 f64 differs in 40 of 40 cells, most at"):
        teff.compare_with_reference(path, T=T + 1e-12)
    teff.compare_with_reference(path, tolerance=1e-11, T=T + 1e-12)
    with pytest.raises(teff.Error, match="holds 'T' of 30x20 f64, got 'T' of 20x30 f64"):
        teff.compare_with_reference(path, T=T.T)
    with pytest.raises(teff.Error, match="holds 'T', got 'q'"):
        teff.compare_with_reference(path, q=T)
    with pytest.raises(teff.UsageError, match="expected fields, got none"):
        teff.compare_with_reference(path)
    with pytest.raises(TypeError, match="T is a list"):
        teff.compare_with_reference(path, T=[1.0])


def test_no_file_is_told(tmp_path):
    with pytest.raises(teff.Error, match="there is no such file; a run with TEFF_RECORD=1"):
        teff.compare_with_reference(tmp_path / "none.ref", T=np.ones(3))
