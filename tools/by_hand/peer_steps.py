# SPDX-License-Identifier: MIT
"""The steps of steps_of_rows.hpp over arrays a[x, y, z], as users of array libraries write them: each
takes a library (peer_libraries.py) and the fields, and returns those that evolve."""

from dataclasses import dataclass
from typing import Callable

IN2, IN3 = (slice(1, -1),) * 2, (slice(1, -1),) * 3
IN_X, IN_Y, IN_Z = ((slice(None),) * axis + (slice(1, -1),) for axis in range(3))
IN_XY, IN_XZ, IN_YZ = IN2, IN_X + (slice(None), slice(1, -1)), IN_Y + (slice(1, -1),)


def cut(a, axis, low, high):
    """`a` from low to high along one axis."""
    return a[(slice(None),) * axis + (slice(low, high),)]


def d(a, axis):
    return cut(a, axis, 1, None) - cut(a, axis, None, -1)


def d2(a, axis):
    return cut(a, axis, 2, None) - 2 * cut(a, axis, 1, -1) + cut(a, axis, None, -2)


def av(a, axis):
    return 0.5 * (cut(a, axis, 1, None) + cut(a, axis, None, -1))


def nonlinear(lib, u):
    lam = 1 + u * u
    qx = av(lam[IN_Y], 0) * d(u[IN_Y], 0)
    qy = av(lam[IN_X], 1) * d(u[IN_X], 1)
    return (lib.add(u, IN2, 0.05 * (d(qx, 0) + d(qy, 1))),)


def ice(lib, H, B, M):
    S = H + B
    gx, gy = av(d(S, 0), 1), av(d(S, 1), 0)
    h = av(av(H, 0), 1)
    h2 = h * h
    D = 0.05 * (h2 * h2 * h) * (gx * gx + gy * gy)
    qx = av(D, 1) * d(S[IN_Y], 0)
    qy = av(D, 0) * d(S[IN_X], 1)
    return (lib.put(H, IN2, lib.not_negative(H[IN2] + 0.1 * (d(qx, 0) + d(qy, 1) + M[IN2]))),)


def elastic(lib, vx, vy, xx, yy, xy, L, G):
    l, g = L[IN2], G[IN2]
    ex = vx[2:, 1:-1] - vx[IN2]
    ey = vy[1:-1, 2:] - vy[IN2]
    xx = lib.add(xx, IN2, 0.3 * ((l + 2 * g) * ex + l * ey))
    yy = lib.add(yy, IN2, 0.3 * ((l + 2 * g) * ey + l * ex))
    xy = lib.add(xy, IN2, 0.3 * g * (vx[IN2] - vx[1:-1, :-2] + vy[IN2] - vy[:-2, 1:-1]))
    vx = lib.add(vx, IN2, 0.3 * (xx[IN2] - xx[:-2, 1:-1] + xy[1:-1, 2:] - xy[IN2]))
    vy = lib.add(vy, IN2, 0.3 * (yy[IN2] - yy[1:-1, :-2] + xy[2:, 1:-1] - xy[IN2]))
    return vx, vy, xx, yy, xy


def gray_scott(lib, u, v):
    """Periodic, and so without border cells."""
    def spread(a):
        return (lib.roll(a, 1, 0) + lib.roll(a, -1, 0) + lib.roll(a, 1, 1) + lib.roll(a, -1, 1) -
                4 * a)
    r = u * v * v
    return u + (0.16 * spread(u) - r + 0.035 * (1 - u)), v + (0.08 * spread(v) + r - 0.1 * v)


def leapfrog(lib, U, W, C):
    new = 2 * U[IN2] - W[IN2] + C[IN2] * (d2(U[IN_Y], 0) + d2(U[IN_X], 1)) * 0.1
    return lib.put(W, IN2, new), U


def stokes(lib, P, Vx, Vy, Txx, Tyy, Txy, dVx, dVy, eta, rho):
    del Txx, Tyy, Txy
    ex, ey = d(Vx, 0), d(Vy, 1)
    div = ex + ey
    P = P - 0.1 * eta * div
    Txx = 2 * eta * (ex - div * (1 / 3))
    Tyy = 2 * eta * (ey - div * (1 / 3))
    Txy = av(av(eta, 0), 1) * (d(Vx[IN_X], 1) + d(Vy[IN_Y], 0))
    dVx = 0.9 * dVx + 0.1 * (d(Txx[IN_Y], 0) - d(P[IN_Y], 0) + d(Txy, 1))
    dVy = 0.9 * dVy + 0.1 * (d(Tyy[IN_X], 1) - d(P[IN_X], 1) + d(Txy, 0) + av(rho[IN_X], 1))
    Vx = lib.add(Vx, IN2, 0.05 / av(eta[IN_Y], 0) * dVx)
    Vy = lib.add(Vy, IN2, 0.05 / av(eta[IN_X], 1) * dVy)
    return P, Vx, Vy, Txx, Tyy, Txy, dVx, dVy


WEIGHTS = [-2.8, 1.6, -0.2, 0.025, -0.0018]


def order8(lib, u, c):
    inside = (slice(4, -4),) * u.ndim

    def beside(axis, r):
        at = slice(4 + r, u.shape[axis] - 4 + r)
        return u[inside[:axis] + (at,) + inside[axis + 1:]]
    s = u.ndim * WEIGHTS[0] * u[inside]
    for r in range(1, 5):
        far = beside(0, r) + beside(0, -r)
        for axis in range(1, u.ndim):
            far = far + beside(axis, r) + beside(axis, -r)
        s = s + WEIGHTS[r] * far
    return (lib.add(u, inside, 0.01 * c[inside] * s),)


def warming(T, Ci):
    return 0.05 * 0.9 * Ci[IN3] * (1.1 * 1.1 * d2(T[IN_YZ], 0) + d2(T[IN_XZ], 1) +
                                   0.9 * 0.9 * d2(T[IN_XY], 2))


def heat3(lib, T, Ci):
    return (lib.add(T, IN3, warming(T, Ci)),)


def insulated3(lib, T, Ci):
    return (lib.with_border_beside(T, T[IN3] + warming(T, Ci)),)


def star3(lib, u):
    return (lib.put(u, IN3, 0.4 * u[IN3] + 0.1 * (
        u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1] +
        u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2])),)


def sound3(lib, P, Vx, Vy, Vz):
    Vx = lib.add(Vx, IN_X, -0.1 * d(P, 0))
    Vy = lib.add(Vy, IN_Y, -0.1 * d(P, 1))
    Vz = lib.add(Vz, IN_Z, -0.1 * d(P, 2))
    return P - 0.1 * (d(Vx, 0) + d(Vy, 1) + d(Vz, 2)), Vx, Vy, Vz


def elastic3(lib, Vx, Vy, Vz, Sx, Sy, Sz, Sxy, Sxz, Syz):
    l, m = 0.1, 0.05
    Vx = lib.add(Vx, IN_X, 0.1 * (d(Sx, 0) + d(Sxy[IN_X], 1) + d(Sxz[IN_X], 2)))
    Vy = lib.add(Vy, IN_Y, 0.1 * (d(Sy, 1) + d(Sxy[IN_Y], 0) + d(Syz[IN_Y], 2)))
    Vz = lib.add(Vz, IN_Z, 0.1 * (d(Sz, 2) + d(Sxz[IN_Z], 0) + d(Syz[IN_Z], 1)))
    ex, ey, ez = d(Vx, 0), d(Vy, 1), d(Vz, 2)
    Sx = Sx + (l + m) * ex + l * (ey + ez)
    Sy = Sy + (l + m) * ey + l * (ex + ez)
    Sz = Sz + (l + m) * ez + l * (ex + ey)
    Sxy = lib.add(Sxy, IN_XY, m * (d(Vx[IN_X], 1) + d(Vy[IN_Y], 0)))
    Sxz = lib.add(Sxz, IN_XZ, m * (d(Vx[IN_X], 2) + d(Vz[IN_Z], 0)))
    Syz = lib.add(Syz, IN_YZ, m * (d(Vy[IN_Y], 2) + d(Vz[IN_Z], 1)))
    return Vx, Vy, Vz, Sx, Sy, Sz, Sxy, Sxz, Syz


@dataclass
class Row:
    """As in steps_of_rows.hpp: the first fields evolve; each has `more` cells than the grid."""
    step: Callable
    cells: int  # of the grid along each side
    arrays: int  # read and written by an ideal step
    evolve: int
    more: list
    level: float = 0.5  # the fields begin between this and
    spread: float = 0.5  # this above it

    @property
    def rank(self):
        return len(self.more[0])

    def shape_of(self, field, cells):
        return tuple(cells + more for more in self.more[field])


PLAIN2, PLAIN3 = (0, 0), (0, 0, 0)
ROWS = {
    "nonlinear": Row(nonlinear, 8190, 2, 1, [PLAIN2]),
    "ice": Row(ice, 8190, 4, 1, [PLAIN2] * 3),
    "elastic": Row(elastic, 8190, 12, 5, [PLAIN2] * 7, 0.1, 0.1),
    "gray_scott": Row(gray_scott, 8190, 4, 2, [PLAIN2] * 2),
    "leapfrog": Row(leapfrog, 8190, 5, 2, [PLAIN2] * 3),
    "stokes": Row(stokes, 8190, 18, 8, [
        PLAIN2, (1, 0), (0, 1), PLAIN2, PLAIN2, (-1, -1), (-1, -2), (-2, -1), PLAIN2, PLAIN2],
        0.1, 0.1),
    "order8_2d": Row(order8, 8192, 3, 1, [PLAIN2] * 2),
    "order8_3d": Row(order8, 512, 3, 1, [PLAIN3] * 2),
    "heat3": Row(heat3, 512, 3, 1, [PLAIN3] * 2),
    "insulated3": Row(insulated3, 512, 3, 1, [PLAIN3] * 2),
    "star3": Row(star3, 512, 2, 1, [PLAIN3]),
    "sound3": Row(sound3, 511, 8, 4, [PLAIN3, (1, 0, 0), (0, 1, 0), (0, 0, 1)], 0.1, 0.1),
    "elastic3": Row(elastic3, 512, 18, 9, [
        (1, 0, 0), (0, 1, 0), (0, 0, 1), PLAIN3, PLAIN3, PLAIN3, (1, 1, 0), (1, 0, 1), (0, 1, 1)],
        0.1, 0.1),
}
