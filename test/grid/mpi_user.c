/* SPDX-License-Identifier: MIT */
#include "mpi_user.h"

#include <stddef.h>

#include <mpi.h>

static void initialise(int has_threads) {
  int provided = 0;
  MPI_Init_thread(NULL, NULL, has_threads ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE, &provided);
}

static void finalise(void) {
  MPI_Finalize();
}

static const void* split(int first, int end) {
  static MPI_Comm some;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank >= first && rank < end ? 0 : MPI_UNDEFINED, rank, &some);
  return some == MPI_COMM_NULL ? NULL : &some;
}

const struct mpi_user* mpi_user_functions(void) {
  static const struct mpi_user table = {
      .initialise = initialise,
      .finalise = finalise,
      .split = split,
  };
  return &table;
}
