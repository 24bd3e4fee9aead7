"""Runs of the small GPT: six steps, with and without annotations, with user ranges, with a full ring buffer."""
from simulate.models import TINY_GPT
from simulate.program import Program
from simulate.settings import A100_40, TORCH_2_10, TORCH_2_14
from simulate.training import MAIN, TRAIN_STEP, AdamW, Loss, Transformer, train_step

STEPS = 6


def _trainer(program, batch=8, sequence=256):
    transformer = Transformer(program, TINY_GPT, batch, sequence)
    transformer.load(MAIN.call("build_model", "/workspace/train/model.py", 104), "empty")
    loss = Loss(transformer)
    optimizer = AdamW(program, transformer.sizes)
    return transformer, loss, optimizer, [None] * len(transformer.sizes)


def _six_steps(era, seed, **options):
    program = Program(seed, A100_40, era=era, **options)
    parts = _trainer(program)
    for _ in range(STEPS):
        train_step(*parts)
    return program


def annotated():
    return _six_steps(TORCH_2_10, seed=2).snapshot()


def bare():
    program = _six_steps(TORCH_2_14, seed=2)
    program.annotations.entries.clear()
    return program.snapshot()


def ring_buffer():
    return _six_steps(TORCH_2_14, seed=3, max_entries=1000).snapshot()


def user_ranges():
    """Recording starts inside ProfilerStep#3 and stops inside the forward of ProfilerStep#6."""
    program = Program(4, A100_40, era=TORCH_2_10)
    parts = _trainer(program, batch=4)
    train_step(*parts)
    program.start_recording()
    program.annotations.entries.clear()
    _phases(program, *parts)
    program.annotations.mark("ProfilerStep#3", "END")
    for number in (4, 5):
        with program.range(f"ProfilerStep#{number}"):
            _phases(program, *parts)
    program.earlier_snapshot()
    program.annotations.mark("ProfilerStep#6", "START")
    program.annotations.mark("## forward ##", "START")
    parts[0].forward(TRAIN_STEP, layers=2)
    return program.snapshot()


def _phases(program, transformer, loss, optimizer, gradients):
    site = TRAIN_STEP
    with program.range("## data ##"):
        batch = program.tensor(transformer.batch * transformer.sequence * 8, "_to_copy", site)
    with program.range("## forward ##"):
        saved = transformer.forward(site)
        with program.range("## loss ##"):
            saved += loss.forward(site)
    with program.range("## backward ##"):
        transformer.backward(saved, gradients)
    with program.range("## optimizer ##"):
        optimizer.step()
        optimizer.zero_grad(gradients)
    program.drop(batch, site)
