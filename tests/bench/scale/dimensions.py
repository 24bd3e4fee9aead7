"""Files of one large dimension each. Every maker writes PATH with n of what it is named after and little of all else."""
import json
import os
import struct

from snapshot_writer import SnapshotWriter

BASE = 0x7F0000000000
MIB = 1 << 20
MAIN = (("main", "/train/run.py", 20), ("<module>", "/train/run.py", 90))
FORWARD = ("_call_impl", "/torch/nn/modules/module.py", 1739)
OPTIMIZER = (("step", "/torch/optim/adamw.py", 220), ("wrapper", "/torch/optim/optimizer.py", 390)) + MAIN
LAYERS = [((f"layer_{i % 7}", "/train/model.py", 10 + i), FORWARD) + MAIN for i in range(200)]


def train(writer, steps, operators=200):
    """Steps of a loop: activations that backward frees in reverse order, gradients, state in the first step."""
    address = BASE
    for step in range(steps):
        kept = []
        for i in range(operators):
            writer.allocate(address + i * MIB, (i % 13 + 1) * 65536, LAYERS[i % 200])
            kept.append((address + i * MIB, (i % 13 + 1) * 65536))
        gradients = []
        for i, (where, size) in enumerate(reversed(kept)):
            if i % 8 == 0:
                gradients.append((BASE + (operators + i) * MIB, 262144 + i * 512))
                writer.allocate(*gradients[-1])
            writer.free(where, size)
        for i, (where, size) in enumerate(gradients):
            if step == 0:
                writer.allocate(BASE + (4 * operators + i) * MIB, size, OPTIMIZER)
            writer.free(where, size, (("zero_grad", "/torch/optim/optimizer.py", 900),) + MAIN)


def finish(writer, annotations=()):
    writer.segments()
    writer.segment(BASE, MIB, [(MIB, "inactive", ())])
    writer.close(annotations)


def begin(path):
    writer = SnapshotWriter(path)
    writer.trace()
    return writer


def events(path, n):
    writer = begin(path)
    train(writer, max(1, n // 670))
    finish(writer)


def steps(path, n):
    writer = begin(path)
    train(writer, n, operators=2)
    finish(writer)


def segments(path, n):
    writer = begin(path)
    for i in range(n):
        writer.other("segment_alloc", BASE + 4 * i * MIB, 2 * MIB)
        writer.allocate(BASE + 4 * i * MIB, 262144, LAYERS[i % 200])
    writer.segments()
    for i in range(n):
        writer.segment(BASE + 4 * i * MIB, 2 * MIB, [(262144, "active_allocated", LAYERS[i % 200]), (2 * MIB - 262144, "inactive", ())])
    writer.close()


def stacks(path, n):
    writer = begin(path)
    for i in range(n):
        where = BASE + (i % 1000) * MIB
        writer.allocate(where, 65536, ((f"f{i % 97}", "/train/model.py", i), LAYERS[i % 200][0]) + MAIN)
        writer.free(where, 65536)
    finish(writer)


def deep_stacks(path, n):
    writer = begin(path)
    common = tuple(("recurse", "/train/tree.py", line) for line in range(400))
    for i in range(n):
        where = BASE + (i % 1000) * MIB
        own = tuple((f"node{(i + k) % 331}", "/train/tree.py", i % 5003 + k) for k in range(100))
        writer.allocate(where, 65536, own + common)
        writer.free(where, 65536)
    finish(writer)


def live_at_once(path, n):
    """As recorded: what is alive at the end stands in the segments, too."""
    writer = begin(path)
    blocks = [(4096, "active_allocated", LAYERS[i % 200]) for i in range(n)]
    for i, (size, _, frames) in enumerate(blocks):
        if i % 512 == 0:
            writer.other("segment_alloc", BASE + i * size, 2 * MIB)
        writer.allocate(BASE + i * size, size, frames)
    writer.segments()
    for i in range(0, n, 512):
        held = blocks[i:i + 512]
        rest = 2 * MIB - 4096 * len(held)
        writer.segment(BASE + i * 4096, 2 * MIB, held + [(rest, "inactive", ())] * (rest > 0))
    writer.close()


def blocks_without_a_trace(path, n):
    writer = begin(path)
    writer.segments()
    for first in range(0, n, 1000):
        count = min(1000, n - first)
        writer.segment(BASE + first * 8192, count * 8192, [(8192, "active_allocated", LAYERS[i % 200]) for i in range(count)])
    writer.close()


def pending_frees(path, n):
    writer = begin(path)
    for i in range(n):
        writer.allocate(BASE + i * 4096, 4096, LAYERS[i % 200])
        writer.free(BASE + i * 4096, 4096, pending=True)
    for i in range(n):
        writer.complete(BASE + i * 4096, 4096)
    finish(writer)


def devices(path, n):
    writer = SnapshotWriter(path)
    for _ in range(n):
        writer.trace()
        train(writer, 3, operators=50)
    finish(writer)


def streams(path, n):
    writer = begin(path)
    for i in range(20 * n):
        writer.allocate(BASE + (i % n) * MIB, 65536, LAYERS[i % 200], stream=i % n)
        writer.free(BASE + (i % n) * MIB, 65536, stream=i % n)
    finish(writer)


def pools(path, n):
    writer = begin(path)
    for i in range(n):
        writer.other("segment_alloc", BASE + 4 * i * MIB, 2 * MIB)
        writer.allocate(BASE + 4 * i * MIB, 2 * MIB, LAYERS[i % 200])
    writer.segments()
    for i in range(n):
        writer.segment(BASE + 4 * i * MIB, 2 * MIB, [(2 * MIB, "active_allocated", LAYERS[i % 200])], pool=(0, i + 1))
    writer.close()


def annotations(path, n):
    writer = begin(path)
    train(writer, 200)
    marks = []
    for i in range(n):
        time = 1 + i * writer.now // n
        marks += [("START", f"part {i % 50}", time), ("END", f"part {i % 50}", time + 1)]
    finish(writer, marks)


def nested_annotations(path, n):
    writer = begin(path)
    train(writer, 20)
    opened = [("START", f"level {i}", 1 + i) for i in range(n)]
    closed = [("END", f"level {i}", 2 * n - i) for i in reversed(range(n))]
    finish(writer, opened + closed)


def ranks(path, n):
    os.makedirs(path, exist_ok=True)
    for rank in range(n):
        writer = begin(os.path.join(path, f"run_rank{rank}.pickle"))
        train(writer, 3, operators=50 + rank % 3)
        finish(writer)


def log_lines(path, n):
    with open(path, "w", encoding="utf-8") as file:
        for i in range(n):
            file.write(f"[2026-05-04 10:{i // 60 % 60:02}:{i % 60:02}] INFO train: step {i} loss {1 / (i + 1):.4f} " + "x" * 900 + "\n")


def log_series(path, n):
    with open(path, "w", encoding="utf-8") as file:
        for step in range(20):
            file.write(json.dumps({"_step": step} | {f"memory/part_{i}_allocated_gb": i % 7 + step / 10 for i in range(n)}) + "\n")


def out_of_memory_messages(path, n):
    with open(path, "w", encoding="utf-8") as file:
        for i in range(n):
            file.write(f"[rank{i % 8}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {20 + i // 100}.{i % 100:02} MiB. GPU {i % 8} has a total "
                       f"capacity of 79.15 GiB of which {i % 50}.44 MiB is free. Of the allocated memory 77.01 GiB is allocated by PyTorch, and 1.14 GiB is "
                       "reserved by PyTorch but unallocated.\n")


def tensorboard_tags(path, n):
    """One record a value, as PyTorch writes them."""
    with open(path, "wb") as file:
        for step in range(3):
            for i in range(n):
                tag = b"memory/part_%d_allocated(GiB)" % i
                value = b"\x0a" + bytes([len(tag)]) + tag + b"\x15" + struct.pack("<f", i % 9 + step / 10)
                summary = b"\x0a" + bytes([len(value)]) + value
                file.write(tensorboard_record(b"\x09" + struct.pack("<d", 1.77e9 + step) + b"\x10" + bytes([step]) + b"\x2a" + bytes([len(summary)]) + summary))


def tensorboard_record(payload):
    length = struct.pack("<Q", len(payload))
    return length + masked_crc32c(length) + payload + masked_crc32c(payload)


def masked_crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC32C[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (crc >> 15 | crc << 17) + 0xA282EAD8 & 0xFFFFFFFF)


def crc32c_of_byte(value):
    for _ in range(8):
        value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value


CRC32C = [crc32c_of_byte(byte) for byte in range(256)]


def kineto(path, n):
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU", "totalGlobalMem": 85899345920}], "traceEvents": [\n')
        total = 0
        for i in range(n):
            size = 65536 * (1 + i // 2 % 13)
            total += size if i % 2 == 0 else -size
            file.write(json.dumps({"ph": "X", "cat": "cpu_op", "name": f"aten::op{i % 40}", "pid": 1, "tid": 1, "ts": 100 + 3 * i, "dur": 2,
                                   "args": {"External id": i}}) + ",\n")
            file.write(json.dumps({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 101 + 3 * i,
                                   "args": {"Total Reserved": 2 << 30, "Total Allocated": total, "Bytes": size if i % 2 == 0 else -size,
                                            "Addr": BASE + i // 2 % 5000 * MIB, "Device Id": 0, "Device Type": 1}}) + ",\n")
        file.write('{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "ts": 0, "args": {"name": "python"}}]}\n')


# How many of each the largest file has, and its ending.
LARGEST = {events: (1_000_000, ".pickle"), steps: (200_000, ".pickle"), segments: (100_000, ".pickle"), stacks: (1_000_000, ".pickle"),
           deep_stacks: (40_000, ".pickle"), live_at_once: (1_000_000, ".pickle"), blocks_without_a_trace: (1_000_000, ".pickle"),
           pending_frees: (400_000, ".pickle"), devices: (64, ".pickle"), streams: (10_000, ".pickle"), pools: (10_000, ".pickle"),
           annotations: (400_000, ".pickle"), nested_annotations: (8_000, ".pickle"), ranks: (256, ""), log_lines: (256_000, ".log"),
           log_series: (4_000, ".jsonl"), out_of_memory_messages: (80_000, ".log"), tensorboard_tags: (40_000, ".tfevents"),
           kineto: (800_000, ".json")}
