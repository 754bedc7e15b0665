/* SPDX-License-Identifier: MIT */
#ifndef TEFF_C_EQUATIONS_H
#define TEFF_C_EQUATIONS_H

/* The part of teff_c.h, which includes it, on equations. */
#include <teff/capi/teff_c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Poisson's equation -div(k grad u) = f on cells (solver/poisson_cells.hpp) */

typedef enum teff_side_kind {
  teff_side_closed = 0,
  teff_side_value = 1,
  teff_side_slope = 2, /* per cell */
  teff_side_periodic = 3
} teff_side_kind;
typedef struct teff_poisson_side {
  int32_t kind; /* teff_side_kind */
  double number;
} teff_poisson_side;
typedef enum teff_poisson_method {
  teff_poisson_automatic = 0,
  teff_poisson_multigrid = 1,
  teff_poisson_preconditioned = 2,
  teff_poisson_gradients = 3
} teff_poisson_method;
typedef struct teff_poisson_options {
  double lengths[3];             /* of the domain along x, y, z */
  teff_poisson_side sides[3][2]; /* low and high of x, y, z */
  double tolerance;              /* of the relative residual */
  int64_t iterations;            /* the most that each method makes; 0: chosen */
  int32_t method;                /* teff_poisson_method */
  int32_t project;               /* where no side has a value: subtract the mean of f */
} teff_poisson_options;
typedef struct teff_poisson_facts {
  int64_t iterations;
  double residual; /* relative */
  double factor;   /* mean one by which a V-cycle multiplied the residual; 0: none was made */
  int32_t has_converged;
  int32_t is_stuck; /* rounding let the residual get no smaller */
} teff_poisson_facts;
/* Solves for the cells u, from the values that they have; 2 or 3 dims of f64 or f32, all of one
 * type. coefficient: k, positive; NULL: 1. *text says how it went: free it with teff_text_free.
 * Waits. */
teff_status teff_poisson(const teff_array* u, const teff_array* f, const teff_array* coefficient,
                         const teff_poisson_options* options, teff_poisson_facts* facts,
                         char** text);

/* ---- A x = b for a formula A, from code that was compiled at run time (capi/equation.hpp) */

typedef struct teff_equation_options {
  double tolerance;    /* of the relative residual */
  int64_t iterations;  /* the most that are made; 0: chosen */
  int64_t check_every; /* iterations between looks at the residual; 0: chosen */
  double least;        /* eigenvalue of A, and the most one, for Chebyshev's iteration; */
  double most;         /* 0: estimated */
} teff_equation_options;
typedef struct teff_equation_facts {
  int64_t iterations;
  double residual; /* relative */
  double least;    /* bounds of Chebyshev's iteration; 0: none were needed */
  double most;
  int32_t has_converged;
  int32_t is_stuck; /* rounding let the residual get no smaller */
} teff_equation_facts;
/* What such code holds, `teff_equation_solve`: it solves for arrays[0], from the values that it
 * has, with the right-hand side arrays[1]; A reads those after them. *text says how it went: free
 * it with teff_text_free. Waits. */
typedef teff_status (*teff_equation_solve_fn)(const double* reals, const int64_t* integers,
                                              const teff_array* const* arrays,
                                              const teff_equation_options* options,
                                              teff_equation_facts* facts, char** text);

#ifdef __cplusplus
}
#endif

#endif
