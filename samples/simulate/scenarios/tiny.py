"""A history short enough to be checked by hand. The README lists it event by event."""
from simulate.program import Program
from simulate.settings import KIB, MIB, TORCH_2_6, Card
from simulate.stacks import script

MAIN = script("/workspace/train/tiny.py", 20, 31)


def play():
    program = Program(seed=1, card=Card(64 * MIB, 8 * MIB), era=TORCH_2_6)
    site = MAIN.call("step", "/workspace/train/tiny.py", 9)
    weight = program.tensor(4 * MIB, "empty", MAIN)
    bias = program.tensor(1000, "empty", MAIN)
    with program.range("Optimizer.step#SGD.step"):
        program.wait(5)
    hidden = program.tensor(2 * MIB, "mm", site)
    noise = program.tensor(300 * KIB, "bernoulli_", site)
    logits = program.tensor(12 * MIB, "mm", site)
    program.drop(noise, site)
    gradient = program.gradient(4 * MIB, "mm", "MmBackward0")
    program.drop_backward(hidden)
    program.drop_backward(logits)
    with program.range("Optimizer.step#SGD.step"):
        program.tensor(4 * MIB, "zeros_like", site)
    program.drop(gradient, site)
    program.empty_cache(site)
    kept = program.tensor(513, "sum", site)
    program.allocator.record_stream(kept, 7)
    program.drop(kept, site)
    program.tensor(1 * MIB + 1, "cat", site)
    assert weight.requested and bias.requested
    return program.snapshot()
