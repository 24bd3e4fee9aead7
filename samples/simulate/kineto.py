"""Profiler traces small enough to be checked by hand: what Kineto writes for one step of a tiny model."""
import json

BASE = 1790857026000000000  # baseTimeNanoseconds: times below are microseconds after it
PROCESS, MAIN, ENGINE = 4000, 4000, 4001
CUDA, CPU = (1, 0), (0, -1)


def slice_(category, name, begin, duration, thread=MAIN, **arguments):
    return {"ph": "X", "cat": category, "name": name, "pid": PROCESS, "tid": thread, "ts": begin, "dur": duration, "args": arguments}


class Memory:
    """Writes instants with the totals that they leave behind."""

    def __init__(self, index, allocated):
        self.index, self.allocated, self.events = index, allocated, []

    def __call__(self, at, device, address, size, reserved=0, thread=MAIN, name="[memory]"):
        kind, number = device
        if name == "[memory]":
            self.allocated[device] += size
        self.index += 1
        arguments = {"Total Reserved": reserved, "Total Allocated": self.allocated[device], "Bytes": size, "Device Id": number,
                     "Device Type": kind, "Ev Idx": self.index}
        if name == "[memory]":
            arguments["Addr"] = address
        self.events.append({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": name, "pid": PROCESS, "tid": thread, "ts": at,
                            "args": arguments})


def addressed():
    """Addresses, totals, stacks and modules, as PyTorch 2.4 and later write them."""
    mib = 2**20
    memory = Memory(100, {CUDA: 48 * mib, CPU: 0})
    memory(1010.5, CPU, 0x5000, 4096)
    memory(1120.25, CUDA, 0x7F0000000000, 2 * mib, 64 * mib)
    memory(1125.75, CUDA, 0x7F0000200000, 8 * mib, 64 * mib)
    memory(1130.0, CUDA, 0x7F0000200000, -8 * mib, 64 * mib)
    memory(1225.0, CUDA, 0x7F0000A00000, 16 * mib, 84 * mib, ENGINE)
    memory(1235.0, CUDA, 0x7EFFFF000000, -12 * mib, 84 * mib, ENGINE)  # older than the trace
    memory(1240.0, CUDA, 0, 1024 * mib, 84 * mib, ENGINE, "[OutOfMemory]")
    memory(1250.0, CUDA, 0x7F0000000000, -2 * mib, 84 * mib, ENGINE)
    memory(1260.0, CPU, 0x5000, -4096)
    slices = [
        slice_("user_annotation", "ProfilerStep#7", 1000.0, 300.0),
        slice_("python_function", "train.py(10): <module>", 990.0, 400.0),
        slice_("python_function", "train.py(21): step", 1002.0, 290.0),
        slice_("cpu_op", "aten::ones", 1005.0, 10.0),
        slice_("python_function", "nn.Module: Net_0", 1100.0, 60.0),
        slice_("python_function", "model.py(5): forward", 1105.0, 50.0),
        slice_("python_function", "nn.Module: Linear_0", 1110.0, 40.0),
        slice_("python_function", "torch/nn/modules/linear.py(116): forward", 1112.0, 36.0),
        slice_("cpu_op", "aten::linear", 1115.0, 30.0),
        slice_("cpu_op", "aten::addmm", 1118.0, 20.0),
        slice_("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0", 1220.0, 50.0, ENGINE),
        slice_("cpu_op", "aten::mm", 1222.0, 20.0, ENGINE),
        slice_("gpu_user_annotation", "ProfilerStep#7", 1000.0, 300.0, 7),
        slice_("kernel", "sgemm", 1119.0, 5.0, 7, stream=7),
        slice_("user_annotation", "Optimizer.step#SGD.step", 1280.0, 10.0),
    ]
    return {
        "schemaVersion": 1,
        "deviceProperties": [{"id": 0, "name": "Simulated GPU", "totalGlobalMem": 8 * 2**30}],
        "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 4},
        "with_stack": 1, "profile_memory": 1,
        "traceEvents": slices[:4] + list(reversed(memory.events)) + slices[4:],
        "traceName": "trace.json", "displayTimeUnit": "ms", "baseTimeNanoseconds": BASE,
    }


def bytes_only():
    """2021: no addresses and no totals; times are whole microseconds since 1970, threads of slices are texts."""
    start = 1623142623460000

    def instant(at, device, size):
        return {"ph": "i", "s": "t", "name": "[memory]", "pid": PROCESS, "tid": MAIN, "ts": start + at,
                "args": {"Device Type": device[0], "Device Id": device[1], "Bytes": size}}

    calls = "model.py(5): forward;train.py(21): step"
    events = [
        slice_("Operator", "ProfilerStep#5", start, 100, str(MAIN)),
        slice_("Operator", "aten::empty", start + 10, 5, str(MAIN), **{"External id": 2, "Call stack": calls}),
        instant(11, CUDA, 1024), instant(20, CUDA, -4096), instant(30, CUDA, 512), instant(31, CUDA, 512), instant(40, CUDA, -512),
        instant(50, CPU, 64),
    ]
    return {"schemaVersion": 1, "traceEvents": events, "traceName": "trace.json"}


def files():
    for name, trace in (("tiny-addresses", addressed()), ("tiny-bytes-only", bytes_only())):
        yield f"{name}.pt.trace.json", json.dumps(trace, indent=1).encode()
    yield "tiny-bare-list.json", json.dumps(addressed()["traceEvents"], indent=1).encode()
