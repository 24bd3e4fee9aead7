"""A data-parallel run on four cards. Rank 2 gets longer and longer batches and runs out of memory; the others agree."""
from simulate.allocator import OutOfMemory
from simulate.models import TINY_GPT
from simulate.program import Program
from simulate.settings import MIB, TORCH_2_14, Card
from simulate.training import MAIN, AdamW, Loss, Transformer, train_step

CARD = Card(1024 * MIB, 324 * MIB)
BATCH = 8
SEQUENCES = (256, 256, 256)
LONG_RANK, LONG_SEQUENCES = 2, (256, 320, 448)


def _play(rank):
    program = Program(40 + rank, CARD, era=TORCH_2_14)
    transformer = Transformer(program, TINY_GPT, BATCH, SEQUENCES[0])
    transformer.load(MAIN.call("build_model", "/workspace/train/model.py", 104), "empty")
    optimizer = AdamW(program, transformer.sizes)
    gradients = [None] * len(transformer.sizes)
    ran_out = False
    try:
        for sequence in LONG_SEQUENCES if rank == LONG_RANK else SEQUENCES:
            transformer.sequence = sequence
            train_step(transformer, Loss(transformer), optimizer, gradients)
    except OutOfMemory:
        ran_out = True
    assert ran_out == (rank == LONG_RANK), f"rank {rank}"
    return program.snapshot()


# File name (without ending) -> the function that plays it.
RANKS = {f"rank{rank}_snapshot": (lambda rank=rank: _play(rank)) for rank in range(4)}
