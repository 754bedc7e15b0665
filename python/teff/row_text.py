# SPDX-License-Identifier: MIT
"""The texts of a time step as rows (rows.py): in C with its table, and in CUDA, where a kernel calls a
row's function for each cell. Neither includes anything.
"""

from .rows import STEP, Number, Ratio, all_rows
from .library import NAMES
from .nodes import REAL

C_TYPES = {"f64": "double", "f32": "float", "i64": "i64", "i32": "int", "u8": "unsigned char",
           "bool": "int"}
MODULAR = {"i64": "unsigned long long", "i32": "unsigned"}
CONVERSIONS = """\
#define CONVERSION(T, name, low, high, beyond)                                   \\
  ROW T name(double v) {                                                         \\
    return v >= beyond ? high : v < low ? low : v >= 1 || v <= -1 ? (T)v : 0;    \\
  }
CONVERSION(i64, to_i64, (-9223372036854775807LL - 1), 9223372036854775807LL, 9223372036854775808.0)
CONVERSION(int, to_i32, (-2147483647 - 1), 2147483647, 2147483648.0)
CONVERSION(unsigned char, to_u8, 0, 255, 256.0)
"""
C_HEAD = """\
/* A time step, written by Teff's Python package; x and n are its numbers. */
typedef long long i64;
double fma(double, double, double), sqrt(double), exp(double), log(double), sin(double),
    cos(double), tanh(double), floor(double), pow(double, double);
float fmaf(float, float, float), sqrtf(float), expf(float), logf(float), sinf(float), cosf(float),
    tanhf(float), floorf(float), powf(float, float);
#define ROW static
#if defined(__clang__)
#define LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define LOOP _Pragma("GCC ivdep")
#else
#define LOOP
#endif
""" + CONVERSIONS + """
/* As in teff_c.h. */
struct row {
  void (*compute)(void*, const void* const*, i64, const i64*, const double*, const i64*);
  const int (*from)[3];
  const int (*reads)[4];
  int from_count, reads_count, type, flops;
};
struct side { int kind, a, b, c, c_is_whole; struct row formula; };
struct stage {
  struct row row;
  int field, copies, sees, low[3], high[3], has_sides;
  struct side sides[3][2];
};
struct rows {
  int rank, fields, stages, residual_kind;
  const int* types;
  const struct stage* stage;
  struct row residual;
  int shape_of, shape_less[3];
  const char* interpreted;
};
"""
C_TAIL = """
int (*teff_rows_bind)(const struct rows*, const double*, const i64*, const void*, void*);
int teff_formula_bind(const double* x, const i64* n, const void* fields, void* made) {
  return teff_rows_bind(&teff_rows, x, n, fields, made);
}
"""
CUDA_HEAD = """\
/* A time step, written by Teff's Python package; x and n are its numbers. NVRTC knows CUDA's
   functions without a header. */
typedef long long i64;
#define ROW static __device__ __forceinline__
#define LOOP
""" + CONVERSIONS + """
/* What a launch gives (teff/stencil/rows/row_kernel.hpp). */
template <int X, int N, int FROM>
struct cells_of {
  char* to;
  i64 count[3], stride[3], first[3], step, as_real, is_of_one_block;
  double x[X];
  i64 n[N];
  struct {
    const char* cell;
    i64 stride[3];
  } from[FROM];
};
template <class T>
ROW void store(char* to, T value, i64) {
  *(T*)to = value;
}
ROW void store(char* to, i64 value, i64 as_real) {
  if (as_real)
    *(double*)to = (double)value;
  else
    *(i64*)to = value;
}
#define ONE_BY_ONE _Pragma("unroll 1")
/* A thread for each cell; beyond the blocks along y and z it goes on. One block alone, of as many
   threads as cells of a stage, stores over what it reads (in code of its own: a barrier in a loop
   takes registers from it). Behind IS_STAGE, of each source the first one of the same field, whose
   strides are its own: the offset is computed once. */
#define KERNEL(row, T, X, N, FROM, IS_STAGE, ...)                                                 \\
  extern "C" __global__ void __launch_bounds__(256)                                               \\
      row##_cells(const __grid_constant__ cells_of<X, N, FROM> a) {                               \\
    const i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;                                     \\
    const auto value_at = [&](i64 j, i64 k) {                                                     \\
      constexpr int like[] = {__VA_ARGS__};                                                       \\
      const void* from[FROM];                                                                     \\
      for (int m = 0; m < FROM; ++m)                                                              \\
        from[m] = a.from[m].cell + i * a.from[like[m]].stride[0] +                                \\
                  j * a.from[like[m]].stride[1] + k * a.from[like[m]].stride[2];                  \\
      const i64 at[] = {a.first[0] + i, a.first[1] + j, a.first[2] + k, a.step};                  \\
      T value;                                                                                    \\
      row(&value, from, 1, at, a.x, a.n);                                                         \\
      return value;                                                                               \\
    };                                                                                            \\
    const auto keep = [&](i64 j, i64 k, T value) {                                                \\
      store(a.to + i * a.stride[0] + j * a.stride[1] + k * a.stride[2], value, a.as_real);        \\
    };                                                                                            \\
    if constexpr (IS_STAGE)                                                                       \\
      if (a.is_of_one_block) {                                                                    \\
        const T value = value_at(threadIdx.y, threadIdx.z);                                       \\
        __syncthreads();                                                                          \\
        keep(threadIdx.y, threadIdx.z, value);                                                    \\
        return;                                                                                   \\
      }                                                                                           \\
    if (i >= a.count[0]) return;                                                                  \\
    ONE_BY_ONE                                                                                    \\
    for (i64 k = blockIdx.z; k < a.count[2]; k += gridDim.z) {                                    \\
      ONE_BY_ONE                                                                                  \\
      for (i64 j = (i64)blockIdx.y * blockDim.y + threadIdx.y; j < a.count[1];                    \\
           j += (i64)gridDim.y * blockDim.y)                                                      \\
        keep(j, k, value_at(j, k));                                                               \\
    }                                                                                             \\
  }

"""


def c_text(rows):
    """For a C compiler: functions and table, and what binds them."""
    none = "0, {0}"
    return (C_HEAD + "".join(_tables(row, rows.types) for row in all_rows(rows)) +
            f"static const int types[] = {{{_list(rows.types)}}};\n"
            "static const struct stage stages[] = {\n" +
            ",\n".join(_stage(stage) for stage in rows.stages) + "};\n"
            f"const struct rows teff_rows = {{{rows.rank}, {len(rows.types)}, {len(rows.stages)}, "
            f"{rows.residual_kind}, types, stages, {_entry(rows.residual)}, " +
            (f"{rows.shape_of}, {{{_list(rows.shape_less)}}}" if rows.residual else none) + "};\n" +
            C_TAIL)


def cuda_text(rows, reals, integers):
    """For NVRTC: of each row's function the kernel NAME_cells. @param reals numbers, as many"""
    stages = [stage.row for stage in rows.stages]
    return CUDA_HEAD + "".join(
        function(row, rows.types) +
        _kernel(row, max(reals, 1), max(integers, 1), any(row is one for one in stages))
        for row in all_rows(rows))


def _kernel(row, reals, integers, is_stage):
    """(No array is of no elements.)"""
    fields = [slot for slot, _, _ in row.sources] or [0]
    like = _list(fields.index(slot) for slot in fields)
    return (f"KERNEL({row.name}, {C_TYPES[NAMES[row.type]]}, {reals}, {integers}, {len(fields)}, "
            f"{str(is_stage).lower()}, {like})\n")


def _tables(row, field_types):
    """A row's function, and what it reads."""
    def table(what, width, entries):
        cells = ", ".join("{" + _list(e) + "}" for e in entries or [[0] * width])
        return f"static const int {row.name}_{what}[][{width}] = {{{cells}}};\n"
    return table("from", 3, row.sources) + table("reads", 4, row.reads) + \
        function(row, field_types)


def _entry(row):
    if row is None:
        return "{0}"
    return (f"{{{row.name}, {row.name}_from, {row.name}_reads, {len(row.sources)}, "
            f"{len(row.reads)}, {row.type}, {row.flops}}}")


def _stage(stage):
    dims = ", ".join(f"{{{', '.join(map(_side, both))}}}" for both in stage.sides)
    return (f"  {{{_entry(stage.row)}, {stage.field}, {stage.copies}, {stage.sees}, "
            f"{{{_list(stage.low)}}}, {{{_list(stage.high)}}}, {stage.has_sides}, {{{dims}}}}}")


def _side(side):
    return f"{{{_list(side[:5])}, {_entry(side.row)}}}" if side.kind else "{0}"


def _list(numbers):
    return ", ".join(map(str, numbers))


# ---- the function of a row

def function(row, field_types):
    """@param field_types as numbers of teff_type"""
    numbers = {}

    def text(operand):
        if type(operand) is int:
            return f"v{operand}"
        if type(operand) is Number:
            return numbers.setdefault(operand, f"q{len(numbers)}")
        if type(operand) is Ratio:
            return f"(({C_TYPES[operand.type]}){operand.over} / {operand.under})"
        return "at[3]" if operand.dim == STEP else \
            f"(at[{operand.dim}] + {'i + ' if operand.dim == 0 else ''}({operand.more}))"
    values = [_cell(*one.operands) if one.op == "cell" else _value(one, *map(text, one.operands))
              for one in row.code]
    body = [f"const {C_TYPES[one.to]} v{n} = {value};" + f"  /* {one.line} */" * bool(one.line)
            for n, (one, value) in enumerate(zip(row.code, values))]
    to = C_TYPES[NAMES[row.type]]
    types = [C_TYPES[NAMES[field_types[slot]]] for slot, _, _ in row.sources]
    return (f"ROW void {row.name}(void* to, const void* const* from, i64 cells, const i64* at,\n"
            f"    const double* x, const i64* n) {{\n  {to}* const t = ({to}*)to;\n" +
            "".join(f"  const {t}* const p{m} = (const {t}*)from[{m}];\n"
                    for m, t in enumerate(types)) +
            "".join(f"  const {C_TYPES[of.type]} {q} = ({C_TYPES[of.type]}){of.list}[{of.place}];\n"
                    for of, q in numbers.items()) +
            "  LOOP\n  for (i64 i = 0; i < cells; ++i) {\n" +
            "".join(f"    {line}\n" for line in body) + f"    t[i] = v{len(body) - 1};\n  }}\n}}\n")


def _cell(row, x):
    return f"p{row}[i + ({x})]"


def _value(one, a, b="", c=""):
    op, kind = one.op, one.of
    end = "f" * (kind == "f32")
    if op in ("ab+c", "ab-c", "c-ab"):
        return f"fma{end}({'-' * (op == 'c-ab')}{a}, {b}, {'-' * (op == 'ab-c')}{c})"
    if op == "where":
        return f"{a} ? {b} : {c}"
    if op in ("minimum", "maximum"):
        return f"{a} {'<' if op == 'minimum' else '>'} {b} || {a} != {a} ? {a} : {b}"
    if op == "convert":
        return f"to_{one.to}({a})" if kind in REAL and one.to not in REAL else \
            f"({C_TYPES[one.to]}){a}"
    if op == "neg":
        return f"-{a}" if kind in REAL else _wrapping("-", kind, "0", a)
    if op == "abs":
        return f"{a} < 0 ? -{a} : {a} == 0 ? 0 : {a}" if kind in REAL else \
            f"{a} < 0 ? {_wrapping('-', kind, '0', a)} : {a}"
    if op in ("!", "copy"):
        return "!" * (op == "!") + a
    if op == "pow":
        return f"pow{end}({a}, {b})"
    if not b:
        return f"{op}{end}({a})"
    return _wrapping(op, kind, a, b) if op in "+-*" and kind not in REAL else f"{a} {op} {b}"


def _wrapping(op, kind, a, b):
    return f"({C_TYPES[kind]})(({MODULAR[kind]}){a} {op} ({MODULAR[kind]}){b})"
