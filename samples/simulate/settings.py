"""Allocator settings, card sizes and the generations of the file format.

The constants and rounding rules are those of c10/cuda/CUDACachingAllocator.cpp (PyTorch 2.6).
"""
from dataclasses import dataclass

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

MIN_BLOCK = 512            # kMinBlockSize: every size is a multiple of it
SMALL_LIMIT = MIB          # kSmallSize: requests up to here live in the small pool
SMALL_SEGMENT = 2 * MIB    # kSmallBuffer
LARGE_SEGMENT = 20 * MIB   # kLargeBuffer: segments for 1 MiB < request < 10 MiB
OWN_SEGMENT_FROM = 10 * MIB  # kMinLargeAlloc
ROUND_LARGE = 2 * MIB      # kRoundLarge
POWER2_KEYS = tuple(1 << exponent for exponent in range(16))  # 1 MiB .. 32768 MiB


def round_up(value, unit):
    return -(-value // unit) * unit


@dataclass(frozen=True)
class Settings:
    conf: str = ""                  # PYTORCH_CUDA_ALLOC_CONF as the user wrote it
    max_split_size: int = -1        # -1: unlimited
    gc_threshold: float = 0.0       # takes effect only with set_per_process_memory_fraction, so never here
    expandable: bool = False
    power2_divisions: int = 0

    def round_size(self, requested):
        if requested < MIN_BLOCK:
            return MIN_BLOCK
        if self.power2_divisions > 1 and requested > MIN_BLOCK * self.power2_divisions:
            return self._next_division(requested)
        return round_up(requested, MIN_BLOCK)

    def _next_division(self, requested):
        """roundup_power2_next_division: up to the next of N equal steps between two powers of two."""
        floor = 1 << (requested.bit_length() - 1)
        return requested if requested == floor else round_up(requested, floor // self.power2_divisions)

    def may_split(self, block_size, size, small):
        """should_split of the allocator: how much must remain for a split to be worth it."""
        remaining = block_size - size
        if small or self.expandable:
            return remaining >= MIN_BLOCK
        below_limit = self.max_split_size < 0 or size < self.max_split_size
        return below_limit and remaining > SMALL_LIMIT

    def may_take(self, block_size, size):
        """get_free_block: with max_split_size, oversize blocks serve only oversize requests of about their size."""
        limit = self.max_split_size
        if limit < 0:
            return True
        if size < limit:
            return block_size < limit
        return block_size < size + LARGE_SEGMENT


def segment_size(size):
    """get_allocation_size: how much cudaMalloc is asked for."""
    if size <= SMALL_LIMIT:
        return SMALL_SEGMENT
    return LARGE_SEGMENT if size < OWN_SEGMENT_FROM else round_up(size, ROUND_LARGE)


@dataclass(frozen=True)
class Card:
    """`outside` is what the driver counts but the allocator does not own: context, kernels, other libraries."""
    capacity: int
    outside: int = 512 * MIB

    @property
    def usable(self):
        return self.capacity - self.outside


RTX_4090 = Card(24207 * MIB, 512 * MIB)   # reports 23.64 GiB
RTX_5090 = Card(32109 * MIB, 576 * MIB)   # reports 31.36 GiB
A100_40 = Card(40442 * MIB, 640 * MIB)


@dataclass(frozen=True)
class Era:
    """Which fields the writing PyTorch knew."""
    compile_context: bool = True    # with user_metadata and graph_capture_record_stream_reuse: about 2.10
    pool_id: bool = True            # 2.12
    overflow: bool = True           # 2.12: trace_alloc_overflowed, trace_alloc_max_entries
    host: bool = False              # 2.13, when pinned memory is recorded too


TORCH_2_6 = Era(compile_context=False, pool_id=False, overflow=False)
TORCH_2_10 = Era(pool_id=False, overflow=False)
TORCH_2_14 = Era()
TORCH_2_14_PINNED = Era(host=True)
