# SPDX-License-Identifier: MIT
"""What a kernel's launch takes and tells: the structures of teff_c.h, and what a call gives."""

from ctypes import Structure, c_char_p, c_double, c_int32, c_int64, c_uint64


class Options(Structure):
    _fields_ = [("cells", c_int64 * 3), ("blocks", c_int64 * 3), ("threads", c_int64 * 3),
                ("shared_bytes", c_int64), ("seed", c_uint64), ("all_resident", c_int32),
                ("line", c_int32), ("file", c_char_p)]


class Facts(Structure):
    _fields_ = [("blocks", c_int64), ("threads", c_int64), ("barriers", c_int64),
                ("bank_conflicts", c_int64), ("worst_bank_conflict", c_int64),
                ("same_value_writes", c_int64), ("sectors_asked", c_int64),
                ("sectors_needed", c_int64), ("block_threads", c_int64 * 3),
                ("registers", c_int64), ("local_bytes", c_int64), ("shared_bytes", c_int64),
                ("occupancy", c_double)]


class Launch:
    """What a kernel's call did; `barriers`, `bank_conflicts` (extra passes of all accesses to shared
    memory), `worst_bank_conflict`, `same_value_writes`, `sectors_asked` and `sectors_needed` (of 32
    bytes of global memory: what warps ask for, and what would do if it lay side by side) are the
    emulator's counts.

    On a GPU there are `threads` of a block and `blocks`, both along x, y, z; `registers` of a thread,
    `local_bytes` of it in memory, for which there are no registers; `shared_bytes` of a block; and
    `occupancy`, the part of a multiprocessor's threads that can be resident. On a CPU these are
    None."""

    threads = blocks = registers = local_bytes = shared_bytes = occupancy = None

    def __init__(self, is_of_blocks, device, options, facts):
        self._options, self._is_of_blocks = options, is_of_blocks
        self.is_emulated = is_of_blocks and device == "cpu"
        if device != "cpu":
            self.threads = tuple(facts.block_threads)
            self.blocks = tuple(options.blocks) if is_of_blocks else \
                tuple(-(-n // t) for n, t in zip(options.cells, self.threads))
            self.registers, self.local_bytes = facts.registers, facts.local_bytes
            self.shared_bytes, self.occupancy = facts.shared_bytes, facts.occupancy
        self.barriers, self.bank_conflicts = facts.barriers, facts.bank_conflicts
        self.worst_bank_conflict = facts.worst_bank_conflict
        self.same_value_writes = facts.same_value_writes
        self.sectors_asked, self.sectors_needed = facts.sectors_asked, facts.sectors_needed

    def __repr__(self):
        cells = f"{times(self._options.cells)} cells"
        blocks = (f"{times(self.blocks or self._options.blocks)} blocks of "
                  f"{times(self.threads or self._options.threads)} threads")
        if self.blocks is not None:
            over = "of" if self._is_of_blocks else f"over {cells} by"
            local = f", {self.local_bytes} bytes of it in memory" if self.local_bytes else ""
            return (f"<launch {over} {blocks}: {self.registers} registers a thread{local}, "
                    f"{self.shared_bytes} bytes of shared memory a block, occupancy "
                    f"{self.occupancy:.2f}>")
        if not self.is_emulated:
            return f"<launch over {cells}>"
        return (f"<launch of {blocks}, emulated: {self.barriers} barriers, bank conflicts "
                f"{self.bank_conflicts}, the worst {self.worst_bank_conflict}, "
                f"{self.sectors_asked} sectors asked for, {self.sectors_needed} needed>")


def times(n):
    given = list(n)
    while len(given) > 1 and given[-1] == 1:
        given.pop()
    return "x".join(map(str, given))
