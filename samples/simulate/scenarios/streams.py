"""More than one stream, more than one device, and memory that is not on a device."""
from simulate.models import TINY_GPT
from simulate.program import Program
from simulate.settings import A100_40, KIB, MIB, TORCH_2_6, TORCH_2_14, TORCH_2_14_PINNED, round_up
from simulate.stacks import TORCH, script
from simulate.training import MAIN, AdamW, Loss, Transformer, train_step

COPY_STREAM = 0x5581_4C3A_9D20   # streams other than the default one are pointer-sized numbers
LOADER_PY = "/workspace/train/prefetch.py"
PREFETCH = MAIN.call("__next__", LOADER_PY, 41).call("preload", LOADER_PY, 27)
BATCH_BYTES = 32 * 3 * 224 * 224 * 4


def play():
    """A prefetcher copies batches on its own stream; the model reads them on the default stream."""
    program = Program(5, A100_40, era=TORCH_2_6)
    transformer = Transformer(program, TINY_GPT, 4, 128)
    transformer.load(MAIN.call("build_model", "/workspace/train/model.py", 104))
    batches = [_prefetch(program)]
    for number in range(8):
        batches.append(_prefetch(program))
        running = transformer.infer(MAIN.call("evaluate", "/workspace/train/train.py", 91))
        program.drop(batches.pop(0), PREFETCH)
        if number % 3 == 2:
            program.allocator.streams_done()
        program.drop(running, MAIN)
    for batch in batches:
        program.drop(batch, PREFETCH)
    return program.snapshot()


def _prefetch(program):
    batch = program.tensor(BATCH_BYTES, "_to_copy", PREFETCH, stream=COPY_STREAM)
    program.allocator.record_stream(batch, 0)
    return batch


def two_devices():
    """The first two layers on device 0, the last two on device 1. Each device has its own address space."""
    program = Program(6, A100_40, era=TORCH_2_14, devices=2)
    stages = [Transformer(program, TINY_GPT, 8, 128) for _ in range(2)]
    place = MAIN.call("pipeline_step", "/workspace/train/pipeline.py", 52)
    gradients = [[None] * len(stage.sizes) for stage in stages]
    for index, stage in enumerate(stages):
        with program.device(index):
            stage.load(MAIN.call("build_stage", "/workspace/train/pipeline.py", 23))
    for _ in range(3):
        _pipeline_step(program, stages, gradients, place)
    return program.snapshot()


def _pipeline_step(program, stages, gradients, place):
    saved = []
    for index, stage in enumerate(stages):
        with program.device(index):
            saved.append(stage.forward(place, layers=2))
    with program.device(1):
        saved[1] += Loss(stages[1]).forward(place)
    for index in (1, 0):
        with program.device(index):
            stages[index].backward(saved[index], gradients[index])


def host_pinned():
    """Pinned batches in host memory, and text attached to live device tensors (`annotate`)."""
    program = Program(7, A100_40, era=TORCH_2_14_PINNED)
    transformer = Transformer(program, TINY_GPT, 4, 128)
    weights = transformer.load(MAIN.call("build_model", "/workspace/train/model.py", 104))
    _annotate(program, weights[0], "wte.weight")
    _annotate(program, weights[1], "wpe.weight")
    _pinned_batches(program, count=4)
    optimizer, gradients = AdamW(program, transformer.sizes), [None] * len(weights)
    for _ in range(2):
        train_step(transformer, Loss(transformer), optimizer, gradients)
    return program.snapshot()


def _annotate(program, block, text):
    stack = program.stacks.python_only(MAIN.call("label", "/workspace/train/model.py", 110))
    program.traces[0].record("annotate", block.address, 0, 0, (0, 0), stack, metadata=text)


def _pinned_batches(program, count):
    """The pinned allocator hands out powers of two. Its field set is assumed to be that of the device lists."""
    site = script("/workspace/train/train.py", 118, 131).call(
        "pin_memory", f"{TORCH}/utils/data/_utils/pin_memory.py", 64)
    address, requested = 0x7F10_0000_0000, 600 * KIB
    size = 1 << (requested - 1).bit_length()
    for _ in range(count):
        stack = program.stacks.pinned(site)
        program.host_trace.record("segment_alloc", address, size, stack=stack)
        program.host_trace.record("alloc", address, requested, stack=stack)
        program.host_segments.append(_host_segment(address, size, requested, stack))
        address += round_up(size, MIB)


def _host_segment(address, size, requested, stack):
    block = {"address": address, "size": size, "requested_size": requested, "state": "active_allocated", "frames": stack}
    return {"device": -1, "address": address, "total_size": size, "allocated_size": size, "active_size": size,
            "requested_size": requested, "stream": 0, "segment_type": "large", "segment_pool_id": (0, 0),
            "is_expandable": False, "blocks": [block], "frames": stack}
