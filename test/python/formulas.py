# SPDX-License-Identifier: MIT
"""The formulas of reference.cpp in Python, with the same numbers, and a small one."""

import teff
from teff import (boundary, d2_xi, d2_yi, d_xa, d_xi, d_ya, d_yi, fixed, gradient, inn, inn_x, inn_y,
                  ix, periodic, sq, stages, together, update)

dx = 10.0 / 99
_dx, _dy, lam = 1 / dx, 1 / (1.1 * dx), 0.9
dt_heat = dx * dx / lam / 0.5 / 4.1
k, _1_theta, _beta = 1.0, 1 / 5.5, 0.02
dt_wave, rho, k_wave = 0.4 * dx, 1.3, 0.8
Du, Dv, F, kill, dt = 0.16, 0.08, 0.035, 0.065, 1.0
around_it = boundary(x=periodic, y=periodic)


def change_of_heat(T, Ci):
    qx = -lam * d_xi(T) * _dx
    qy = -lam * d_yi(T) * _dy
    return inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy)


@teff.timestep
def heat(T, Ci):
    return update(inn(T), inn(T) + dt_heat * change_of_heat(T, Ci))


@teff.timestep
def insulated(T, Ci):
    return update(inn(T), inn(T) + dt_heat * change_of_heat(T, Ci),
                  boundary(x=gradient(0.0), y=(fixed(0.5 * ix), gradient(0.0))))


@teff.timestep
def pressure(Pf, qDx, qDy):
    div = d_xa(qDx) * _dx + d_ya(qDy) * _dy
    return stages(
        update(inn_x(qDx), inn_x(qDx) - (inn_x(qDx) + k * d_xa(Pf) * _dx) * _1_theta),
        update(inn_y(qDy), inn_y(qDy) - (inn_y(qDy) + k * d_ya(Pf) * _dy) * _1_theta),
        update(Pf, Pf - div * _beta), residual=teff.max_abs(div))


@teff.timestep
def wave(P, Vx, Vy):
    return stages(update(inn_x(Vx), inn_x(Vx) - dt_wave / rho * d_xa(P) * _dx),
                  update(inn_y(Vy), inn_y(Vy) - dt_wave / rho * d_ya(P) * _dy),
                  update(P, P - dt_wave * k_wave * (d_xa(Vx) * _dx + d_ya(Vy) * _dy)))


@teff.timestep
def gray_scott(U, V):
    R = inn(U) * sq(inn(V))
    return together(
        update(inn(U), inn(U) + dt * (Du * (d2_xi(U) + d2_yi(U)) - R + F * (1 - inn(U))),
               around_it),
        update(inn(V), inn(V) + dt * (Dv * (d2_xi(V) + d2_yi(V)) + R - (F + kill) * inn(V)),
               around_it))


# One small formula, compiled once, for all that asks for no other; as a program's text, too.
rate = 1.0


@teff.timestep
def grow(T):
    return teff.update(T, T + rate * T)


GROW = """
import numpy as np, teff
@teff.timestep
def grow(T):
    return teff.update(T, T + rate * T)
rate = 1.0
T = np.ones(8)
"""

# By name: the step, and by how much each field is larger than the first one, along x and y.
ALL = {"heat": (heat, ((0, 0), (0, 0))), "insulated": (insulated, ((0, 0), (0, 0))),
       "pressure": (pressure, ((0, 0), (1, 0), (0, 1))),
       "wave": (wave, ((0, 0), (1, 0), (0, 1))), "gray_scott": (gray_scott, ((0, 0), (0, 0)))}
