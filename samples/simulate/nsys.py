"""Exports of Nsight Systems with memory events, and inputs of the same kind that a reader must refuse."""
import os
import sqlite3
import tempfile

from simulate.nsys_export import MICROSECOND, MILLISECOND, PUSH_POP, START_END, Export
from simulate.nsys_figures import figures
from simulate.settings import GIB, KIB, MIB

EPOCH = 1790857026000000000
ALLOCATOR = (("cudaMalloc", "/usr/local/cuda/lib64/libcudart.so.12"),
             ("c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::alloc_block", "/opt/torch/lib/libc10_cuda.so"),
             (None, "/opt/torch/lib/libtorch_cuda.so"),
             ("at::native::empty_cuda", "/opt/torch/lib/libtorch_cuda.so"))
TRAINER = (("cudaMalloc", "/usr/local/cuda/lib64/libcudart.so.12"), ("forward", "/home/ml/run/model.py"), ("main", "/home/ml/run/train.py"))
SEGMENTS = 0x7F5200000000  # where cudaMalloc puts its blocks


def training():
    """One process, schema 3.7.2. Of four steps, the first takes segments from the driver; the third gives one back and takes others."""
    export = Export("3.7.2", "2023.4.4.54", EPOCH)
    export.gpu(0, "NVIDIA A100-SXM4-40GB", 42298834944)
    process = export.process(4242, "/usr/bin/python3")
    process.memory(1 * MILLISECOND, "alloc", 0x7F51FFF00000, 64 * KIB, kind="Device Static", name="lookup_table")
    process.memory(2 * MILLISECOND, "alloc", 0x7F51E0000000, 8 * MIB, kind="Pinned", api="cudaHostAlloc_v3020")
    process.memory(3 * MILLISECOND, "alloc", 0x7F51D0000000, 32 * MIB, kind="Managed", api="cudaMallocManaged_v6000")
    process.memory(4 * MILLISECOND, "free", 0x7F51C0000000, 96 * MIB, api="cudaFree_v3020")  # allocated before the capture
    for step in range(4):
        _training_step(process, step, (10 + 20 * step) * MILLISECOND)
    process.memory(95 * MILLISECOND, "free", SEGMENTS + 1 * GIB, 256 * MIB, api="cudaFree_v3020")
    process.memory(96 * MILLISECOND, "free", SEGMENTS + 1 * GIB, 256 * MIB, api="cudaFree_v3020")  # a second time
    process.range(92 * MILLISECOND, 97 * MILLISECOND, "cleanup", registered=True)
    process.range(93 * MILLISECOND, None, "shutdown", kind=START_END)
    return export


def _training_step(process, step, at):
    """20 ms: forward, backward on another thread, optimizer. Names of operators are those of emit_nvtx."""
    process.range(at, at + 19 * MILLISECOND, f"step_{step}")
    process.range(at + 100 * MICROSECOND, at + 8 * MILLISECOND, "forward")
    process.range(at + 1 * MILLISECOND, at + 6 * MILLISECOND, f"aten::linear, op_id = {10 * step + 1}")
    process.range(at + 2 * MILLISECOND, at + 5 * MILLISECOND, f"aten::addmm, seq = {step}, op_id = {10 * step + 2}")
    process.range(at + 8 * MILLISECOND, at + 14 * MILLISECOND, "backward", registered=True)
    process.range(at + 9 * MILLISECOND, at + 12 * MILLISECOND, f"aten::mm, seq = {step}, op_id = {10 * step + 3}", tid=4250)
    process.range(at + 15 * MILLISECOND, at + 18 * MILLISECOND, "optimizer", int64Value=step)
    process.kernel(at + 3 * MILLISECOND, 400 * MICROSECOND, "ampere_sgemm_128x64_nn")
    process.copy(at + 500 * MICROSECOND, 90 * MICROSECOND, 2 * MIB)
    process.clear(at + 15 * MILLISECOND, 8 * MICROSECOND, 512)
    _work(process, at + 6 * MILLISECOND, 40)
    if step == 0:
        process.memory(at + 3 * MILLISECOND, "alloc", SEGMENTS, 512 * MIB, api="cudaMalloc_v3020", chain=TRAINER)
        process.memory(at + 4 * MILLISECOND, "alloc", SEGMENTS + 512 * MIB, 20 * MIB, api="cudaMalloc_v3020", chain=ALLOCATOR)
        process.memory(at + 10 * MILLISECOND, "alloc", SEGMENTS + 1 * GIB, 256 * MIB, api="cudaMalloc_v3020", tid=4250, chain=ALLOCATOR)
        process.memory(at + 16 * MILLISECOND, "alloc", SEGMENTS + 2 * GIB, 2 * MIB, api="cudaMalloc_v3020", chain=ALLOCATOR)
    if step == 2:  # the cache goes back to the driver; the same place is taken again at the same nanosecond
        again = at + 3 * MILLISECOND
        process.memory(again, "alloc", SEGMENTS + 512 * MIB, 24 * MIB, api="cudaMalloc_v3020", chain=ALLOCATOR)
        process.memory(again, "free", SEGMENTS + 512 * MIB, 20 * MIB, api="cudaFree_v3020")
        process.memory(at + 4 * MILLISECOND, "alloc", SEGMENTS + 3 * GIB, 1 * GIB, api="cudaMalloc_v3020", chain=TRAINER)
        process.memory(at + 17 * MILLISECOND, "free", SEGMENTS + 3 * GIB, 1 * GIB, api="cudaFree_v3020")
    if step == 3:
        process.call(at + 4 * MILLISECOND, "cudaMalloc_v3020", returned=2)


def _work(process, at, count, device=0, tid=None):
    """Kernels under operators, 30 microseconds each: what most of a real export is made of."""
    for i in range(count):
        begin = at + 30 * MICROSECOND * i
        process.range(begin, begin + 28 * MICROSECOND, f"aten::mul, seq = {i}, op_id = {1000 + i}", tid=tid)
        process.kernel(begin + 15 * MICROSECOND, 10 * MICROSECOND, "vectorized_elementwise_kernel", device=device)


def two_ranks(with_cards):
    """Two processes that both say device 0, schema 3.16.1. With `with_cards` the export tells that they mean two cards; a third
    process shares the second one, and uses addresses that the second uses."""
    export = Export("3.16.1", "2024.6.2.225", EPOCH, normalized=True)
    for card in range(2):
        export.gpu(card, "NVIDIA H100 80GB HBM3", 85520809984)
    ranks = [export.process(5000 + rank, "python3") for rank in range(3 if with_cards else 2)]
    if with_cards:
        for process, number, card in zip(ranks, (0, 0, 1), (0, 1, 1)):
            export.add("TARGET_INFO_CUDA_DEVICE", gpuId=card, cudaId=number, pid=process.pid)
    for rank, process in enumerate(ranks):
        export.add("MPI_RANKS", globalTid=process.thread(), rank=rank)
        _rank(process, rank, device=1 if rank == 2 else 0)
    return export


def _rank(process, rank, device):
    shared = dict(device=device, stream=7)
    for step in range(3):
        at = (10 + 10 * step) * MILLISECOND + rank * MICROSECOND
        process.range(at, at + 9 * MILLISECOND, "train_step", int64Value=step)
        process.memory(at + 1 * MILLISECOND, "alloc", SEGMENTS, (100 + 10 * rank + step) * MIB, api="cudaMalloc_v3020", **shared)
        process.memory(at + 2 * MILLISECOND, "alloc", SEGMENTS + 1 * GIB, 50 * MIB, **shared)
        process.memory(at + 8 * MILLISECOND, "free", SEGMENTS, (100 + 10 * rank + step) * MIB, api="cudaFree_v3020", **shared)
        _work(process, at + 3 * MILLISECOND, 20, device)
        if step < 2:
            process.memory(at + 9 * MILLISECOND, "free", SEGMENTS + 1 * GIB, 50 * MIB, **shared)
    process.memory(5 * MILLISECOND, "alloc", 0x7F51E0000000, 16 * MIB, kind="Pinned", device=device, api="cudaHostAlloc_v3020")


def pools():
    """cudaMallocAsync: every tensor is a row, with figures of its pool; a second pool is made and destroyed. Schema 3.25.0."""
    export = Export("3.25.0", "2026.2.1.210", EPOCH)
    export.gpu(0, "NVIDIA A100-SXM4-40GB", 42298834944)
    process = export.process(6001, "python3")
    export.add("MPI_RANKS", globalTid=process.thread(), rank=5)
    export.add("DIAGNOSTIC_EVENT", timestamp=1, timestampType=0, source=1, severity=2,
               text="Not all CUDA events might have been collected.", globalPid=process.global_pid)
    pool, other = 0x302000000, 0x402000000
    _pool_event(export, process, 1 * MILLISECOND, pool, 1, 0, 0)
    used = 0
    for step in range(3):
        at = (10 + 10 * step) * MILLISECOND
        process.range(at, at + 9 * MILLISECOND, f"ProfilerStep#{step + 4}")
        process.range(at + 500 * MICROSECOND, at + 4 * MILLISECOND, "forward")
        for tensor in range(4):
            used += 3 * MIB
            process.memory(at + (1 + tensor) * MILLISECOND, "alloc", 0x302000000 + tensor * 4 * MIB, 3 * MIB, api="cudaMallocAsync_v11020",
                           stream=13 if tensor == 3 else 7, pool=(pool, 32 * MIB, used))
        _work(process, at + 8500 * MICROSECOND, 16)
        for tensor in range(4):
            used -= 3 * MIB
            process.memory(at + (5 + tensor) * MILLISECOND, "free", 0x302000000 + tensor * 4 * MIB, 3 * MIB, api="cudaFreeAsync_v11020",
                           stream=7, pool=(pool, 32 * MIB, used))
    _pool_event(export, process, 40 * MILLISECOND, other, 1, 16 * MIB, 0)
    process.memory(41 * MILLISECOND, "alloc", other, 5 * MIB, api="cudaMallocFromPoolAsync_v11020", stream=7, pool=(other, 16 * MIB, 5 * MIB))
    process.memory(42 * MILLISECOND, "free", other, 5 * MIB, api="cudaFreeAsync_v11020", stream=7, pool=(other, 16 * MIB, 0))
    _pool_event(export, process, 43 * MILLISECOND, other, 2, 0, 0)
    _pool_event(export, process, 44 * MILLISECOND, pool, 3, 8 * MIB, 0)
    return export


def _pool_event(export, process, at, address, operation, size, utilized):
    export.add("CUDA_GPU_MEMORY_POOL_EVENTS", start=at, globalPid=process.global_pid, deviceId=0, address=address, operationType=operation,
               poolType=1, localMemoryPoolSize=size, localMemoryPoolUtilizedSize=utilized)


def no_memory():
    """Recorded without --cuda-memory-usage=true: two ranks with NVTX ranges, operators, kernels and calls, but no memory table."""
    export = Export("3.25.0", "2026.2.1.210", EPOCH, collects="false")
    export.gpu(0, "NVIDIA H100 80GB HBM3", 85520809984)
    for rank in range(2):
        process = export.process(7001 + rank, "python3")
        for step in range(3):
            at = (10 + 10 * step + rank) * MILLISECOND
            process.range(at, at + 9 * MILLISECOND, f"iteration {step}")
            process.range(at + 1 * MILLISECOND, at + 5 * MILLISECOND, f"aten::mm, op_id = {step}")
            _work(process, at + 6 * MILLISECOND, 20, device=rank)
            process.range(at + 5 * MILLISECOND, at + 8 * MILLISECOND, "ncclAllReduce", registered=True, kind=PUSH_POP)
            process.mark(at + 9 * MILLISECOND, "end-of-iteration")
            process.kernel(at + 2 * MILLISECOND, 500 * MICROSECOND, "sgemm", device=rank)
            process.copy(at + 3 * MILLISECOND, 50 * MICROSECOND, 4 * MIB, device=rank)
            process.call(at + 4 * MILLISECOND, "cudaMalloc_v3020")
            process.call(at + 6 * MILLISECOND, "cudaFree_v3020")
    return export


EXPORTS = {
    "training-3.7.2": training,
    "two-ranks-two-cards-3.16.1": lambda: two_ranks(True),
    "two-ranks-card-unknown-3.16.1": lambda: two_ranks(False),
    "memory-pools-3.25.0": pools,
    "no-memory-table-3.25.0": no_memory,
}


def files():
    for name, play in EXPORTS.items():
        yield f"{name}.sqlite", play().write()


def report():
    """The figures of samples/README.md."""
    for name, play in EXPORTS.items():
        print(name)
        for line in figures(play()):
            print("  " + line.line())


def broken_files():
    yield "sqlite-of-others.sqlite", _database("CREATE TABLE history (id INTEGER, url TEXT); INSERT INTO history VALUES (1, 'x')")
    yield "nvprof.sqlite", _database("CREATE TABLE StringTable (_id_ INTEGER, value TEXT); CREATE TABLE CUPTI_ACTIVITY_KIND_MEMORY "
                                     "(_id_ INTEGER, start INTEGER); INSERT INTO StringTable VALUES (1, 'x')")
    data = training().write()
    yield "nsys-cut.sqlite", data[:len(data) * 3 // 5]
    yield "nsys-damaged.sqlite", _damaged(data)
    yield "nsys-views.sqlite", _database(
        "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT); "
        "CREATE VIEW CUDA_GPU_MEMORY_USAGE_EVENTS AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT i AS start, 0 AS globalPid, 0 AS deviceId, 0 AS contextId, i AS address, 1 AS bytes, 2 AS memKind, "
        "0 AS memoryOperationType FROM n")
    yield "closed-report.nsys-rep", b"NVIDIA Tegra Profiler Report 2023@4@4@54-234433681190v0.\n\x0bLocal (CLI)" + bytes(64)


def _damaged(data):
    """The first page that holds rows of the runtime table is overwritten; everything else is sound."""
    handle, path = tempfile.mkstemp(suffix=".sqlite")
    os.close(handle)
    try:
        with open(path, "wb") as file:
            file.write(data)
        connection = sqlite3.connect(path)
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'CUPTI_ACTIVITY_KIND_RUNTIME'").fetchone()[0]
        connection.close()
    finally:
        os.remove(path)
    at = (root - 1) * size
    return data[:at] + b"\xff" * size + data[at + size:]


def _database(script):
    handle, path = tempfile.mkstemp(suffix=".sqlite")
    os.close(handle)
    try:
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA page_size = 1024")
        connection.executescript(script)
        connection.commit()
        connection.close()
        with open(path, "rb") as file:
            return file.read()
    finally:
        os.remove(path)
