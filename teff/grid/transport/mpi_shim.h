/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/* MPI without its types, which differ between MPIs: what the compiler wrapper of each MPI makes of
   mpi_shim.c, a library of its own that is loaded where a launcher has started the program. */

#ifdef __cplusplus
extern "C" {
#endif

enum { teff_mpi_version = 1 }; /* of the table below */

enum teff_mpi_state { teff_mpi_unused = 0, teff_mpi_in_use = 1, teff_mpi_finalised = 2 };

/* Handles belong to the shim. Functions return 0, or an error code of MPI, which error_text tells;
   -1 where there is no memory. */
struct teff_mpi {
  int version;
  const char* name; /* "Open MPI" */

  enum teff_mpi_state (*state)(void);
  int (*initialise)(void);
  /* How far MPI takes part in threads: 0 there are none, 1 the main thread calls MPI, 2 one at a
     time does, 3 all do. */
  int (*thread_level)(int* level, int* is_main_thread);
  int (*finalise)(void);
  /* Calls f where MPI_Finalize begins, whoever calls that. */
  int (*before_finalise)(void (*f)(void));
  void (*abort)(int status);
  void (*error_text)(int code, char* text, size_t bytes);

  /* A duplicate, once for each communicator. @param comm a user's MPI_Comm; null: of all processes
   */
  int (*open)(const void* comm, void** opened);
  int (*place)(void* opened, int* rank, int* ranks);
  /* The least rank of those on this machine. */
  int (*machine)(void* opened, int* first);

  int (*send)(void* opened, const void* data, int bytes, int to, int tag, void** request);
  int (*receive)(void* opened, void* data, int bytes, int from, int tag, void** request);
  /* A request that is done is no more. */
  int (*test)(void* request, int* is_done);
  /* The first message with that tag that waits to be received. @param from whose it must be, -1: of
     anybody; then whose it is, -1: there is none */
  int (*look)(void* opened, int tag, int* from, int* bytes);
};

/* The library's one function. */
const struct teff_mpi* teff_mpi_functions(void);
typedef const struct teff_mpi* teff_mpi_entry(void);

#ifdef __cplusplus
}
#endif
