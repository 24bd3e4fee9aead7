"""Two ways to run out of memory, which need opposite remedies."""
from simulate.allocator import OutOfMemory
from simulate.program import Program
from simulate.settings import KIB, MIB, TORCH_2_10, Card
from simulate.training import MAIN

CARD = Card(8 * 1024 * MIB, 480 * MIB)
SIDE_STREAM = 0x55AE_90C2_7F60
EVAL_PY = "/workspace/train/evaluate.py"
EVALUATE = MAIN.call("evaluate", EVAL_PY, 58)


def _catch(play):
    try:
        play()
    except OutOfMemory:
        return
    raise AssertionError("this scenario must run out of memory")


def fragmentation():
    """Every batch is a little longer than the last, so its logits need a new segment; what is kept of them takes
    a bit more than half of it, too much for the hole that the batch before left.

    At the end 20 segments are pinned by one tensor each; 2.9 GiB are free, in holes of at most 166 MiB.
    """
    program = Program(10, CARD, era=TORCH_2_10)
    program.tensor(512 * MIB, "empty", MAIN.call("build_model", "/workspace/train/model.py", 104))
    for number in range(20):
        logits = program.tensor((288 + 6 * number) * MIB, "mm", EVALUATE.call("score", EVAL_PY, 33))
        program.drop(logits, EVALUATE)
        program.tensor((160 + 4 * number) * MIB, "cat", EVALUATE.call("collect", EVAL_PY, 41))
    for size in (900 * KIB, 96 * MIB, 64 * MIB):
        _cached_on_side_stream(program, size)
    _catch(lambda: program.tensor(900 * MIB, "mm", EVALUATE.call("score", EVAL_PY, 33)))
    return program.snapshot()


def _cached_on_side_stream(program, size):
    """Segments of another stream, wholly free: the burst before the `oom` returns them, and it does not help."""
    site = EVALUATE.call("entropy", EVAL_PY, 46)
    blocks = [program.tensor(size, "exp", site, stream=SIDE_STREAM) for _ in range(3)]
    for block in blocks:
        program.drop(block, site)


def too_big():
    """Weights, gradients and optimizer state fill 6 GiB; 2.25 GiB more exceed the whole 8 GiB card."""
    program = Program(11, CARD, era=TORCH_2_10)
    for number, name in enumerate(("build_model", "backward", "init_state")):
        for _ in range(16):
            program.tensor(128 * MIB, "empty", MAIN.call(name, "/workspace/train/model.py", 104 + number))
    for size in (256, 192, 320):
        site = EVALUATE.call("score", EVAL_PY, 33)
        program.drop(program.tensor(size * MIB, "mm", site), site)
    _catch(lambda: program.tensor(2300 * MIB, "mm", EVALUATE.call("score", EVAL_PY, 33)))
    return program.snapshot()
