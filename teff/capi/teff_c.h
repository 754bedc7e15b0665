/* SPDX-License-Identifier: MIT */
#ifndef TEFF_C_H
#define TEFF_C_H

#include <stddef.h>
#include <stdint.h>

/* Teff for C, and for whatever calls C: arrays in memory of the caller's or of Teff's own, streams,
 * algorithms, and time steps that were compiled at run time.
 *
 * Every function that can fail gives a status, and no exception leaves it; teff_message() says what
 * went wrong in this thread's last failure: what was expected, what was got, what to do. Dims count
 * from the contiguous one, x, as in C++; strides count cells, of any sign. Handles are counted:
 * what a call makes is freed once, in any order. Work on a GPU is enqueued on the stream of its
 * target. */
#ifdef __cplusplus
extern "C" {
#endif

/* What must agree between a program and the library: changes with every change of this file that
 * is no addition. */
#define TEFF_C_ABI 7
int teff_c_abi(void);

typedef enum teff_status {
  teff_ok = 0,
  teff_failed = 1,
  teff_usage = 2, /* asked for what makes no sense */
  teff_out_of_memory = 5,
  teff_non_finite = 6,
  teff_no_device = 7,
  teff_stopped = 130 /* a callback ended the run, the fields hold the state of one step; or Ctrl-C
                      * a kernel, and what its arrays hold is undefined */
} teff_status;

/* Of this thread's last failure; "" before the first. Valid until the next one. */
const char* teff_message(void);

typedef enum teff_type {
  teff_f64 = 0,
  teff_f32 = 1,
  teff_i64 = 2,
  teff_i32 = 3,
  teff_u8 = 4,
  teff_bool = 5
} teff_type;
enum { teff_max_rank = 3 };

/* ---- streams */

typedef struct teff_stream teff_stream;

/* The default stream of "cpu", "cuda" or "cuda:1". */
teff_status teff_stream_of(const char* device, teff_stream** made);
/* A stream of somebody else's, a cudaStream_t, which must outlive the handle; "cpu" has none. */
teff_status teff_stream_adopt(const char* device, void* native, teff_stream** made);
teff_status teff_stream_synchronize(const teff_stream* stream);
/* What is enqueued on `stream` from now on begins after what is on `other` by now. */
teff_status teff_stream_wait_for(const teff_stream* stream, const teff_stream* other);
void teff_stream_free(teff_stream* stream);

/* ---- arrays */

typedef struct teff_array teff_array;

/* Somebody else's memory. `release(owner)` is called once, when no one of Teff's needs it any more,
 * on any thread; it may be NULL, and is called if this fails, too. */
teff_status teff_array_wrap(const teff_stream* on, void* data, teff_type type, int rank,
                            const int64_t* extents, const int64_t* strides, const char* label,
                            void (*release)(void*), void* owner, teff_array** made);
/* Memory of Teff's own, x contiguous, with no known values. */
teff_status teff_array_new(const teff_stream* on, teff_type type, int rank, const int64_t* extents,
                           const char* label, teff_array** made);
void teff_array_free(teff_array* array);

void* teff_array_data(const teff_array* array);
teff_type teff_array_type(const teff_array* array);
int teff_array_rank(const teff_array* array);
const int64_t* teff_array_extents(const teff_array* array);
const int64_t* teff_array_strides(const teff_array* array);
/* 1 if it is on a GPU, whose number goes to *ordinal. */
int teff_array_is_cuda(const teff_array* array, int* ordinal);
teff_status teff_array_synchronize(const teff_array* array);

/* A DLManagedTensor, or with is_versioned a DLManagedTensorVersioned, of an array that it keeps;
 * shape and strides in the order of C, x last. Its deleter may run on any thread. */
teff_status teff_array_dlpack(const teff_array* array, int is_versioned, int is_read_only,
                              void** managed);
/* The destructor of Python's capsules around them: PyCapsule_IsValid and PyCapsule_GetPointer come
 * from whoever has Python, before the first capsule. */
void teff_dlpack_capsule_functions(int (*is_valid)(void*, const char*),
                                   void* (*pointer)(void*, const char*));
void teff_dlpack_capsule_destructor(void* capsule);

/* ---- algorithms: the target first. `dim` counts from x */

typedef enum teff_reduction {
  teff_sum = 0,
  teff_prod = 1,
  teff_min = 2,
  teff_max = 3,
  teff_max_abs = 4,
  teff_mean = 5,
  teff_norm2 = 6,
  teff_argmin = 7, /* the number of the first such cell, x first; along a dim its position there */
  teff_argmax = 8,
  teff_any = 9, /* of cells that are not 0 */
  teff_all = 10
} teff_reduction;

/* The type of the result, which the target must have: i64 for the sum of integers and for argmin,
 * u8 for any and all, f64 for the mean of integers. */
teff_type teff_reduction_type(teff_reduction what, teff_type of);
/* Along the dims that are given, or of all cells (dims: none or all of them); the target has the
 * dims that are left, in their order. */
teff_status teff_reduce(teff_reduction what, const teff_array* target, const teff_array* array,
                        int dims, const int* dim);
/* Of all cells; the arrays have one type, the target teff_reduction_type(teff_sum, type). */
teff_status teff_dot(const teff_array* target, const teff_array* a, const teff_array* b);

typedef enum teff_operation {
  teff_add = 0,
  teff_multiply = 1,
  teff_minimum = 2,
  teff_maximum = 3
} teff_operation;
/* The inclusive sum; the target has the array's type or, for integers, i64. In place, too. */
teff_status teff_cumsum(const teff_array* target, const teff_array* array, int dim);
/* In the array's type. `init`, of one cell and that type, comes before the first cell; it may be
 * NULL, but not for an exclusive scan, which leaves cell l out of its own result. */
teff_status teff_scan(const teff_array* target, const teff_array* array, int dim,
                      teff_operation operation, const void* init, int is_exclusive);
/* Column b of the target, (d, bags), is the sum of the columns offsets[b] to offsets[b + 1] of the
 * array, (d, n); offsets, i64 or i32, are an array of bags + 1 cells. */
teff_status teff_segmented_sum(const teff_array* target, const teff_array* array,
                               const teff_array* offsets);
/* y = alpha A x + beta y; A: (m, n) in (row, column); f64 or f32. */
teff_status teff_gemv(double alpha, const teff_array* A, const teff_array* x, double beta,
                      const teff_array* y);
/* C = A B; A: (m, k), B: (k, n), C: (m, n) in (row, column); f64 or f32. */
teff_status teff_matmul(const teff_array* C, const teff_array* A, const teff_array* B);
/* Dim d of the target is dim order[d] of the array; rank 2 or 3. */
teff_status teff_permute(const teff_array* target, const teff_array* array, const int* order);
/* Uniform in [0, 1), or of the standard normal distribution: f64 or f32, from the seed and a cell's
 * number, x first. */
teff_status teff_random(const teff_array* target, uint64_t seed, int is_normal);
/* Every cell; both arrays have one type. */
teff_status teff_copy(const teff_array* target, const teff_array* array);

/* ---- what is known of the machine, in words: free it with teff_text_free */

teff_status teff_info(char** text);
/* GB/s of a copy far beyond the caches. Measured at first use. */
teff_status teff_peak(const char* device, double* copy_gb_per_s);
void teff_text_free(char* text);

typedef struct teff_profile teff_profile;
/* All operations of the program are timed while it lives. */
teff_status teff_profile_start(const char* name, teff_profile** made);
teff_status teff_profile_text(const teff_profile* profile, char** text);
/* Prints its table to stderr. */
void teff_profile_free(teff_profile* profile);

/* ---- pictures of 2-D arrays */

typedef struct teff_heat_map_options {
  const char* map; /* "violet_teal_yellow", "blue_white_orange", "davos"; NULL or "": as limits ask */
  double lower;    /* of the first colour and of the last one; 0 and 0: the array's own, which are */
  double upper;    /* then written here */
  int32_t min_pixels;
  int32_t max_pixels;
} teff_heat_map_options;
/* Rows of pixels from the top, x to the right, y up: numbers of colours, which are red, green, blue;
 * the last one is that of cells that hold no number. Free *pixels with teff_text_free. The array is
 * on the CPU, of any type and strides. */
teff_status teff_heat_map(const teff_array* array, teff_heat_map_options* options, int64_t* width,
                          int64_t* height, uint8_t colours[256 * 3], char** pixels);

/* ---- reference values */

/* Compares arrays, by names, with a file of some of their values; where the environment says
 * TEFF_RECORD=1, writes that file instead (teff/io/reference.hpp). Below 0 the tolerance, a part of
 * the largest kept value, follows from types and steps. */
teff_status teff_compare_with_reference(const char* path, int count, const char* const* names,
                                        const teff_array* const* arrays, int64_t steps,
                                        double tolerance, int cells);

/* ---- time steps, from code that was compiled at run time (capi/formula.hpp) */

typedef struct teff_stepper teff_stepper;
/* What such code holds, `teff_formula_bind`: a time step over these fields, with its numbers. */
typedef teff_status (*teff_formula_bind_fn)(const double* reals, const int64_t* integers,
                                            const teff_array* const* fields, teff_stepper** made);

/* A row's function as data, for where there is no compiler: operations between places, each of many
 * cells (teff/stencil/rows/row_program.hpp, row_operations.hpp have the numbers). */
typedef struct teff_row_program {
  const int32_t (*places)[4]; /* where, teff_type, and two numbers: which, cells away */
  const int32_t (*code)[5];   /* operation; places of its result and of three operands */
  int32_t place_count;
  int32_t count;
} teff_row_program;
/* A time step as data, which code in plain C holds: functions that compute cells of a row. */
typedef struct teff_row {
  /* Of cells side by side along x. from: of each row that is read, the cell beside the first one;
   * at: its indices, counted from the target's first cell, and the number of the step. Over fields
   * on a GPU instead of the function what teff_row_kernels_load gives; of rows that are interpreted
   * a teff_row_program. */
  void (*compute)(void* to, const void* const* from, int64_t cells, const int64_t* at,
                  const double* reals, const int64_t* integers);
  const int32_t (*from)[3];  /* field, rows and planes away from the computed cell */
  const int32_t (*reads)[4]; /* field and x, y, z away: each cell that is read */
  int32_t from_count;
  int32_t reads_count;
  int32_t type; /* teff_type of what it computes */
  int32_t flops;
} teff_row;
/* A condition; numbers by their places among the reals, c also among the integers. */
typedef struct teff_row_side {
  int32_t kind; /* 0: cells keep their values; 1: a value; 2: a slope; 3: robin; 4: periodic */
  int32_t a, b, c;
  int32_t c_is_whole;
  teff_row formula; /* instead of c, f64 or i64; compute is NULL if there is none */
} teff_row_side;
typedef struct teff_row_stage {
  teff_row row;
  int32_t field;            /* that it writes */
  int32_t copies;           /* the field whose values it takes as they are, each at the cell itself; -1 */
  int32_t sees;             /* how many stages before it */
  int32_t low[3], high[3];  /* cells that it leaves out at the sides */
  int32_t has_sides;        /* a boundary was given */
  teff_row_side sides[3][2];
} teff_row_stage;
typedef struct teff_rows {
  int32_t rank;
  int32_t fields;
  int32_t stages;
  int32_t residual_kind; /* 0: none; 1: max_abs; 2: norm2 */
  const int32_t* types;  /* teff_type, by field */
  const teff_row_stage* stage;
  teff_row residual;
  int32_t shape_of;      /* the residual has the extents of this field, */
  int32_t shape_less[3]; /* but for so many cells */
  const char* interpreted; /* NULL, or why each row is a teff_row_program: for reports */
} teff_rows;
/* Its fields have cells side by side along x; it is bound to the numbers, which outlive it as programs
 * do that it was bound to. */
teff_status teff_rows_bind(const teff_rows* rows, const double* reals, const int64_t* integers,
                           const teff_array* const* fields, teff_stepper** made);
/* Kernels of a cubin for this GPU, by their names: each computes the cells of a row's function, one
 * a thread, and takes so many numbers. They stay loaded. */
teff_status teff_row_kernels_load(const char* device, const void* cubin, int32_t reals,
                                  int32_t integers, int32_t count, const char* const* names,
                                  void** kernels);
/* A kernel of several steps per pass from such a cubin, `teff_pass`, of a formula with so many
 * numbers; it stays loaded. shapes: for how many shapes such kernels of the formula can be compiled,
 * of more and more steps; 0: it allows no pass, or a block has no room, and the run says why; -1: nvcc
 * may make passes of it (it has step_index in a stage, or more than 16 stages). */
teff_status teff_pass_load(const char* device, const void* cubin, int32_t reals, int32_t integers,
                           void** pass, int32_t* shapes);
/* Likewise the kernel of all stages of a step at once, `teff_fused`, of which there is one shape. */
teff_status teff_fused_load(const char* device, const void* cubin, int32_t reals, int32_t integers,
                            void** fused, int32_t* shapes);
/* Likewise the kernel of blocks that stay on the chip for many steps, `teff_resident`. */
teff_status teff_resident_load(const char* device, const void* cubin, int32_t reals,
                               int32_t integers, void** resident);
/* That kernel is of no use over fields that have more bytes together. */
teff_status teff_resident_bytes(const char* device, int64_t* most);
/* As teff_rows_bind, with kernels of the formula: those of passes by their shapes, the one of all
 * stages at once, and the one of blocks that stay, as far as there are. */
teff_status teff_rows_bind_passes(const teff_rows* rows, void* const* kernels, int32_t count,
                                  const double* reals, const int64_t* integers,
                                  const teff_array* const* fields, teff_stepper** made);

typedef enum teff_schedule {
  teff_automatic = 0,
  teff_stepwise = 1,
  teff_fused = 2,
  teff_temporal = 3,
  teff_resident = 4
} teff_schedule;

typedef struct teff_run_options {
  int64_t steps;
  int64_t first_step;
  int64_t check_every;
  double tolerance;
  int64_t on_step_every;
  /* Is told how many steps of this run are done; anything but 0 ends the run. */
  int (*on_step)(int64_t done, void* context);
  void* context;
  int32_t schedule; /* teff_schedule */
  int32_t depth;
  /* Is called about every so many seconds, between passes, and does not look at the fields; anything
   * but 0 ends the run. `a_eff_bytes` are those of one step. */
  double watch_every_s;
  int (*watch)(int64_t done, double a_eff_bytes, void* context);
  /* NULL, or where another function that binds the same formula may appear during the run, which
   * then makes the rest of the steps. */
  teff_formula_bind_fn const* successor;
  /* NULL, or what teff_rows_bind_passes takes, by which the run is bound instead of by `bind`. */
  const teff_rows* rows;
  void* const* passes;
  int32_t pass_count;
} teff_run_options;

typedef struct teff_report teff_report;
typedef struct teff_run_facts {
  int64_t steps;
  double passes;
  double scratch_bytes;
  double residual; /* counts if has_residual */
  double a_eff_bytes;
  double time_s;
  double t_eff_gb_per_s;
  int32_t has_residual;
  int32_t has_converged;
  int32_t schedule;
  int32_t depth;
} teff_run_facts;

/* Binds, runs and lets go. After teff_non_finite, *good_step is that of the state in the fields. */
teff_status teff_iterate(teff_formula_bind_fn bind, const double* reals, const int64_t* integers,
                         const teff_array* const* fields, const teff_run_options* options,
                         teff_report** made, int64_t* good_step);
/* The same for who calls it again and again: what is bound is kept from call to call where that takes
 * no memory to speak of. */
typedef struct teff_call {
  teff_formula_bind_fn bind; /* this, and what it takes, stays as it is */
  const double* reals;
  const int64_t* integers;
  const teff_array* const* fields;
  const teff_run_options* options; /* may change, but for `rows` and `passes` */
  teff_stepper* kept;              /* NULL before the first call; free it after the last one */
  teff_report* made;
  int64_t good_step;
} teff_call;
/* Of one thread at a time. */
teff_status teff_call_iterate(teff_call* call);
void teff_stepper_free(teff_stepper* stepper);
teff_status teff_explain(teff_formula_bind_fn bind, const double* reals, const int64_t* integers,
                         const teff_array* const* fields, const teff_run_options* options,
                         char** text);
/* Waits for the run. */
teff_status teff_report_facts(const teff_report* report, teff_run_facts* facts);
teff_status teff_report_text(const teff_report* report, char** text);
void teff_report_free(teff_report* report);

/* ---- kernels, from code that was compiled at run time (capi/kernel.hpp). x, y, z in this order */

typedef struct teff_kernel_launch {
  int64_t cells[3];   /* of an index kernel: it is called once for each */
  int64_t blocks[3];  /* of a block kernel */
  int64_t threads[3]; /* of a block; 0, 0, 0: Teff chooses, for an index kernel */
  int64_t shared_bytes;
  uint64_t seed;        /* of the order in which the emulator runs threads, on a CPU */
  int32_t all_resident; /* all blocks run at the same time */
  int32_t line;         /* who launches: for messages */
  const char* file;
} teff_kernel_launch;
typedef struct teff_kernel_facts {
  /* What the emulator counted of a block kernel, on a CPU; else 0. */
  int64_t blocks;
  int64_t threads;
  int64_t barriers;
  int64_t bank_conflicts; /* extra passes of all accesses to shared memory */
  int64_t worst_bank_conflict;
  int64_t same_value_writes; /* of several threads to one element, with no barrier between */
  int64_t sectors_asked;     /* of 32 bytes of global memory, over all accesses of all warps */
  int64_t sectors_needed;    /* if what each asks for lay side by side */
  /* On a GPU how it was launched, and what the compiler made of it; else 0. */
  int64_t block_threads[3]; /* of a block, also where Teff chose them */
  int64_t registers;        /* of a thread */
  int64_t local_bytes;      /* of a thread, in memory: what finds no place in registers */
  int64_t shared_bytes;     /* of a block */
  double occupancy;         /* a multiprocessor's resident threads, of those that it can have */
} teff_kernel_facts;
/* What such code holds, `teff_kernel_run`. Asynchronous on a GPU. facts: NULL where nobody asks. */
typedef teff_status (*teff_kernel_run_fn)(const teff_stream* on, const teff_array* const* arrays,
                                          const double* reals, const int64_t* integers,
                                          const teff_kernel_launch* launch,
                                          teff_kernel_facts* facts);

#ifdef __cplusplus
}
#endif

#include <teff/capi/teff_c_equations.h>

#endif
