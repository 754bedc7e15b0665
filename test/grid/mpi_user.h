/* SPDX-License-Identifier: MIT */
#pragma once

/* What a program with an MPI of its own does: a library for each MPI, of mpi_user.c. */
#ifdef __cplusplus
extern "C" {
#endif
struct mpi_user {
  void (*initialise)(int has_threads);
  void (*finalise)(void);
  /* The ranks from first on, before end, as a pointer to an MPI_Comm; null elsewhere. */
  const void* (*split)(int first, int end);
};
const struct mpi_user* mpi_user_functions(void);
#ifdef __cplusplus
}
#endif
