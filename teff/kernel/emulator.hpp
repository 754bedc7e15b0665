// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <teff/base/config.hpp>
#include <teff/base/error.hpp>
#include <teff/base/index.hpp>

/// Block kernels on the CPU, for tests and for learning: every thread of a block is a fiber, all in
/// the calling thread of the host. What a GPU would leave undefined is found and thrown as an
/// error. Calls of sync and of warp operations are told apart by file and line: write one on a
/// line. One in a function that is called from two places is two for a GPU, whose compiler copies
/// the function into both. They are told apart where gcc copies as well (TEFF_INLINE; small
/// functions from -O1 on) and in units that are not optimized; helpers that stay out of line in
/// optimized code, and what clang optimizes, are taken for one.
namespace teff {

/// How block kernels are emulated while an `emulation` lives.
struct emulator_options {
  std::uint64_t seed = 1;   ///< of the order of blocks, warps and lanes
  int resident_blocks = 4;  ///< blocks that run at the same time; the others wait until one ends
  /// Races, reads of unwritten memory, bank conflicts, sectors; bounds: always.
  bool check = true;
  /// Loops that poll by themselves are stuck after so many turns of all resident threads in which
  /// nothing was published, changed atomically or finished. (wait_until is known to be stuck at
  /// once.)
  index_t quiet_rounds = 100000;
};

/// What was counted in the last kernel that was emulated.
struct emulator_report {
  /// Accesses to shared memory by a warp: the n-th of each lane since the last synchronisation are
  /// taken for one. Extra passes: beyond those that 128 bytes a pass need anyway.
  struct {
    index_t worst = 0;     ///< extra passes of one access
    index_t total = 0;     ///< of all accesses of all warps
    index_t accesses = 0;  ///< that were looked at: the first 2048 between two synchronisations
  } bank_conflicts;
  /// Writes to shared memory of what another thread wrote there, with no barrier between: of the
  /// same value, so that a GPU keeps it, but perhaps not meant. (Of another value they are a race.)
  struct {
    index_t count = 0;
    site first{"", 0};
  } same_value_writes;
  /// Global memory, as far as it is accessed through views (pointers are not seen): the n-th access
  /// of each lane of a warp since the last operation of the warp or the block is taken for one of
  /// the warp. Memory moves sectors of 32 bytes. `x(i) += v` is one access.
  struct {
    index_t asked = 0;     ///< sectors that the cells lie in, over all accesses of all warps
    index_t needed = 0;    ///< into which as many bytes would fit if they lay side by side
    index_t accesses = 0;  ///< that were looked at: the first 2048 between two operations
  } sectors;
  index_t blocks = 0;
  index_t threads = 0;
  index_t barriers = 0;  ///< of all blocks

  /// "64 sectors asked for, 16 needed"; "" where none were counted.
  std::string sectors_text() const;
};

/// While it lives, kernels that this host thread launches on the CPU are emulated by these options.
/// The innermost of several counts. Without one, block kernels are emulated by the defaults, and
/// what `launch` runs is a parallel loop; with one, that runs in the calling thread by warps of
/// blocks of its shape, so that sectors are counted.
class emulation {
 public:
  explicit emulation(const emulator_options& options = {});
  ~emulation();
  emulation(emulation&&) = delete;
  emulation& operator=(emulation&&) = delete;

  const emulator_options& options() const noexcept { return options_; }
  /// Of the last kernel that was launched while this was the innermost emulation.
  const emulator_report& report() const noexcept { return report_; }

 private:
  friend class emulator_access;
  emulator_options options_;
  emulator_report report_;
  emulation* outer_;
};

/// What block.hpp asks of the emulator; nothing here is a template.
namespace runtime {

enum class warp_operation : std::uint8_t {
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  any,
  all,
  sync
};
enum class shared_use : std::uint8_t { read, write, atomic };

/// Shape of a launch, and whose it is in messages.
struct emulated_launch {
  index_t blocks[3];
  int threads[3];
  std::size_t shared_bytes;
  site where;
  bool all_resident = false;
};

/// A call of an operation that threads do together, and what tells copies of its code apart: see
/// is_other_copy() in detail/emulated_block.hpp.
struct operation_call {
  site where;
  const volatile char* copy;  ///< a variable that each inlined copy of the code has for itself
  const void* frame;          ///< of the function that calls, where frames are linked; else null
};
/// @param copy volatile, as gcc then gives no two copies one place in a frame
TEFF_INLINE operation_call called_here(site where, const volatile char& copy) {
#ifdef __OPTIMIZE__
  return {where, &copy, nullptr};
#else
  return {where, &copy, __builtin_frame_address(0)};
#endif
}

/// One thread of an emulated kernel: where it is, and what it can ask for. Every call may suspend
/// it, and may throw: an error where a fault was found, or what unwinds a kernel that failed
/// elsewhere.
class emulated_thread {
 public:
  index_t block[3] = {};
  int thread[3] = {};
  int linear = 0;  ///< number in the block, x first
  const emulated_launch* launch = nullptr;
  const void* outermost_frame = nullptr;  ///< of the kernel's own

  virtual void sync(const operation_call& call) = 0;
  /// Carves n elements from the shared memory. @returns the array's number in this block
  virtual int carve(index_t n, std::size_t element_bytes, std::size_t alignment, site where) = 0;
  /// Checks one access, of `count` elements from i on. @param written what a write puts there
  /// @returns the first one's address
  virtual void* access(int array, index_t i, int count, shared_use use, const void* written,
                       site where) = 0;
  /// Gives `bytes` at `in` to the warp and takes those of lane `from` to `out`. The bytes of a lane
  /// that does not exist are all ones: not a number.
  virtual void exchange(warp_operation operation, const void* in, void* out, std::size_t bytes,
                        int from, const operation_call& call) = 0;
  /// @returns a bit of every lane of the warp
  virtual unsigned vote(warp_operation operation, bool mine, const operation_call& call) = 0;
  virtual void sync_warp(const operation_call& call) = 0;
  /// Suspends this thread until ready(context).
  virtual void wait(bool (*ready)(const void* context), const void* context, site where) = 0;
  /// Lets others run; then reads `bytes` at `where` to `out`.
  virtual void poll(const void* where, void* out, std::size_t bytes) = 0;
  /// Lets others run: after an atomic operation or a publication, so that what should have been
  /// done before is missed by them.
  virtual void yield() = 0;
  /// Says that memory which others poll has changed, or has not.
  virtual void changed_memory(bool changed) = 0;

 protected:
  ~emulated_thread() = default;
};

/// Throws what names the kernel's launch, the block and the thread too.
[[noreturn]] void throw_fault(const emulated_thread& thread, const std::string& what);
/// The same of the thread that runs; `what` alone where none does, in an index kernel.
[[noreturn]] void throw_in_kernel(const std::string& what);
/// The same: it uses a handle of no shared array.
[[noreturn]] void throw_no_array(site where);
[[noreturn]] void throw_no_dim(int dim, int dims, site where);
/// @throws error if `dim` is none of so many
inline void check_dim(int dim, int dims, site where) {
  if (dim < 0 || dim >= dims) throw_no_dim(dim, dims, where);
}
/// " at test.cpp:12".
std::string at(site where);

using emulated_body = void (*)(const void* function, emulated_thread& thread);

/// Runs all blocks. @throws error with the first fault that is found
/// @returns what was counted
emulator_report emulate(const emulated_launch& launch, emulated_body body, const void* function);

/// True while this host thread has an `emulation`.
/// @throws error in a block kernel, which launches nothing
bool is_emulating();

/// Calls body(function, i, j, k) for every cell, warp by warp of blocks of these threads.
/// @param rank of the index space: cells beyond it are 1
/// @throws error that names the cell where the function throws
emulator_report emulate_cells(const index_t (&cells)[3], const index_t (&threads)[3], int rank,
                              void (*body)(const void* function, const index_t (&cell)[3]),
                              const void* function);

}  // namespace runtime
}  // namespace teff
