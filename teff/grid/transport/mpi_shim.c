/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include <teff/grid/transport/mpi_shim.h>

struct opened_comm {
  MPI_Comm comm;
};

static enum teff_mpi_state state(void) {
  int is = 0;
  MPI_Finalized(&is);
  if (is) return teff_mpi_finalised;
  MPI_Initialized(&is);
  return is ? teff_mpi_in_use : teff_mpi_unused;
}

static int initialise(void) {
  int provided = 0;
  return MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
}

static int thread_level(int* level, int* is_main_thread) {
  int provided = 0;
  const int failed = MPI_Query_thread(&provided);
  *level = provided == MPI_THREAD_MULTIPLE     ? 3
           : provided == MPI_THREAD_SERIALIZED ? 2
           : provided == MPI_THREAD_FUNNELED   ? 1
                                               : 0;
  return failed ? failed : MPI_Is_thread_main(is_main_thread);
}

static int finalise(void) {
  return MPI_Finalize();
}

/* What MPI_Finalize does first is to delete the attributes of MPI_COMM_SELF. */
static int at_end(MPI_Comm comm, int own_key, void* value, void* extra) {
  (void)comm, (void)own_key, (void)extra;
  void (*f)(void);
  memcpy(&f, value, sizeof f);
  f();
  return MPI_SUCCESS;
}

static int before_finalise(void (*f)(void)) {
  static void (*kept)(void);
  int own_key = MPI_KEYVAL_INVALID;
  const int failed = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &own_key, NULL);
  kept = f;
  return failed ? failed : MPI_Comm_set_attr(MPI_COMM_SELF, own_key, &kept);
}

static void abort_job(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
}

static void error_text(int code, char* text, size_t bytes) {
  char all[MPI_MAX_ERROR_STRING + 1];
  int length = 0;
  if (bytes == 0) return;
  if (code < 0 || MPI_Error_string(code, all, &length) != MPI_SUCCESS) {
    strcpy(all, "no memory");
    length = (int)strlen(all);
  }
  if ((size_t)length > bytes - 1) length = (int)(bytes - 1);
  memcpy(text, all, (size_t)length);
  text[length] = 0;
}

/* The duplicate is kept as an attribute of the communicator: it goes where that is freed. */
static int key = MPI_KEYVAL_INVALID;

static int open_comm(const void* comm, void** opened) {
  const MPI_Comm from = comm ? *(const MPI_Comm*)comm : MPI_COMM_WORLD;
  struct opened_comm* made = NULL;
  int failed = MPI_SUCCESS, has = 0;
  if (key == MPI_KEYVAL_INVALID)
    failed = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  if (failed) return failed;
  failed = MPI_Comm_get_attr(from, key, opened, &has);
  if (failed || has) return failed;
  made = malloc(sizeof *made);
  if (!made) return -1;
  failed = MPI_Comm_dup(from, &made->comm);
  if (!failed) failed = MPI_Comm_set_errhandler(made->comm, MPI_ERRORS_RETURN);
  if (!failed) failed = MPI_Comm_set_attr(from, key, made);
  if (failed) free(made);
  *opened = made;
  return failed;
}

static MPI_Comm comm_of(void* opened) {
  return ((struct opened_comm*)opened)->comm;
}

static int place(void* opened, int* rank, int* ranks) {
  const int failed = MPI_Comm_rank(comm_of(opened), rank);
  return failed ? failed : MPI_Comm_size(comm_of(opened), ranks);
}

static int machine(void* opened, int* first) {
  MPI_Comm here;
  int rank = 0;
  int failed = MPI_Comm_rank(comm_of(opened), &rank);
  if (!failed)
    failed = MPI_Comm_split_type(comm_of(opened), MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
  if (failed) return failed;
  *first = rank;
  failed = MPI_Bcast(first, 1, MPI_INT, 0, here);
  MPI_Comm_free(&here);
  return failed;
}

static int begun(MPI_Request* made, int failed, void** request) {
  if (failed) free(made);
  *request = failed ? NULL : made;
  return failed;
}

static int send(void* opened, const void* data, int bytes, int to, int tag, void** request) {
  MPI_Request* made = malloc(sizeof *made);
  if (!made) return -1;
  return begun(made, MPI_Isend((void*)data, bytes, MPI_BYTE, to, tag, comm_of(opened), made),
               request);
}

static int receive(void* opened, void* data, int bytes, int from, int tag, void** request) {
  MPI_Request* made = malloc(sizeof *made);
  if (!made) return -1;
  return begun(made, MPI_Irecv(data, bytes, MPI_BYTE, from, tag, comm_of(opened), made), request);
}

static int test(void* request, int* is_done) {
  const int failed = MPI_Test((MPI_Request*)request, is_done, MPI_STATUS_IGNORE);
  if (failed || *is_done) free(request);
  return failed;
}

static int look(void* opened, int tag, int* from, int* bytes) {
  MPI_Status status;
  int is_there = 0;
  const int failed =
      MPI_Iprobe(*from < 0 ? MPI_ANY_SOURCE : *from, tag, comm_of(opened), &is_there, &status);
  *from = -1;
  if (failed || !is_there) return failed;
  *from = status.MPI_SOURCE;
  return MPI_Get_count(&status, MPI_BYTE, bytes);
}

#ifdef OPEN_MPI
static const char name[] = "Open MPI";
#else
static const char name[] = "MPICH"; /* or one of its binary interface */
#endif

const struct teff_mpi* teff_mpi_functions(void) {
  static const struct teff_mpi table = {
      .version = teff_mpi_version,
      .name = name,
      .state = state,
      .initialise = initialise,
      .thread_level = thread_level,
      .finalise = finalise,
      .before_finalise = before_finalise,
      .abort = abort_job,
      .error_text = error_text,
      .open = open_comm,
      .place = place,
      .machine = machine,
      .send = send,
      .receive = receive,
      .test = test,
      .look = look,
  };
  return &table;
}
