/* SPDX-License-Identifier: MIT */
/* teff_c.h in plain C: wrapped and own arrays, algorithms, errors and their messages, owners let go
 * once, and DLPack. Says what is wrong, and how many checks held. */
#include <stdio.h>
#include <string.h>

#include <teff/capi/teff_c.h>

static int failures, checks;

static void check(int holds, const char* what) {
  ++checks;
  if (holds) return;
  ++failures;
  printf("wrong: %s (last message: %s)\n", what, teff_message());
}

static void count_release(void* owner) {
  ++*(int*)owner;
}

int main(void) {
  double cells[6] = {1, 2, 3, 4, 5, 6}, sums[6], total = 0;
  const int64_t extents[2] = {3, 2}, strides[2] = {1, 3}, one[1] = {1};
  const int dim = 0;
  int released = 0;
  teff_stream* cpu = NULL;
  teff_array *A = NULL, *B = NULL, *S = NULL, *own = NULL, *none = NULL;

  check(teff_c_abi() == TEFF_C_ABI, "the version");
  check(teff_stream_of("cpu", &cpu) == teff_ok, "a stream of the CPU");
  check(teff_array_wrap(cpu, cells, teff_f64, 2, extents, strides, "A", count_release, &released,
                        &A) == teff_ok, "a wrapped array");
  check(teff_array_wrap(cpu, sums, teff_f64, 2, extents, strides, "B", NULL, NULL, &B) == teff_ok,
        "one without an owner");
  check(teff_array_wrap(cpu, &total, teff_f64, 1, one, one, "S", NULL, NULL, &S) == teff_ok,
        "one cell");
  check(teff_array_rank(A) == 2 && teff_array_extents(A)[0] == 3 && teff_array_strides(A)[1] == 3 &&
            teff_array_type(A) == teff_f64 && teff_array_data(A) == cells, "what is known of it");

  check(teff_cumsum(B, A, 0) == teff_ok && sums[2] == 6 && sums[5] == 15, "cumsum along x");
  check(teff_cumsum(B, A, 1) == teff_ok && sums[2] == 3 && sums[5] == 9, "cumsum along y");
  check(teff_reduce(teff_sum, S, A, 0, NULL) == teff_ok && total == 21, "the sum");
  check(teff_dot(S, A, A) == teff_ok && total == 91, "the dot product");

  teff_poisson_options poisson = {{3, 2}, {{{teff_side_value, 1}, {teff_side_value, 1}}}, 1e-9};
  teff_poisson_facts facts = {0};
  char* went = NULL;
  check(teff_copy(B, A) == teff_ok && teff_poisson(B, A, NULL, &poisson, &facts, &went) == teff_ok &&
            facts.has_converged && strstr(went, "residual") != NULL, "Poisson's equation");
  teff_text_free(went);
  poisson.sides[0][0].kind = 9;
  check(teff_poisson(B, A, NULL, &poisson, &facts, &went) == teff_usage, "a side of no kind");

  check(teff_cumsum(B, A, 2) == teff_usage && strstr(teff_message(), "dims 0 to 1") != NULL,
        "a dim that is not there");
  check(teff_cumsum(S, A, 0) != teff_ok && strstr(teff_message(), "3x2") != NULL,
        "a target that does not fit");
  check(teff_reduce(teff_sum, B, A, 0, NULL) == teff_usage, "a sum to many cells");
  check(teff_reduce(teff_sum, B, NULL, 0, NULL) == teff_usage, "no array");
  check(teff_reduce(teff_argmin, S, A, 1, &dim) == teff_usage, "a target of another type");
  check(teff_array_wrap(cpu, cells, teff_f64, 4, extents, strides, "", count_release, &released,
                        &none) == teff_usage && released == 1, "four dims; its owner is let go");
  check(teff_stream_of("gpu", &cpu) == teff_usage, "a device of no name");
  check(teff_stream_adopt("cpu", cells, &cpu) == teff_usage &&
            strstr(teff_message(), "no streams") != NULL, "a stream of the CPU's");

  teff_array_free(A);
  check(released == 2, "the owner is let go once");

  void* managed = NULL;
  check(teff_array_new(cpu, teff_i32, 2, extents, "own", &own) == teff_ok, "an own array");
  check(teff_array_dlpack(own, 0, 0, &managed) == teff_ok, "a legacy tensor");
  teff_array_free(own);  /* the tensor keeps the cells */
  if (managed != NULL) {
    struct legacy {
      void* data;
      int32_t device[2], ndim;
      uint8_t code, bits;
      uint16_t lanes;
      int64_t *shape, *strides;
      uint64_t byte_offset;
      void* manager;
      void (*deleter)(struct legacy*);
    }* tensor = managed;
    check(tensor->ndim == 2 && tensor->shape[0] == 2 && tensor->shape[1] == 3 &&
              tensor->strides[0] == 3 && tensor->code == 0 && tensor->bits == 32, "what it says");
    ((int32_t*)tensor->data)[5] = 7;
    tensor->deleter(tensor);
  }

  char* text = NULL;
  check(teff_info(&text) == teff_ok && strstr(text, "cpu: ") == text, "what the machine is");
  teff_text_free(text);
  teff_array_free(B);
  teff_array_free(S);
  teff_stream_free(cpu);
  printf("%d passed, %d failed, 0 skipped\n", checks - failures, failures);
  return failures != 0;
}
