"""One planted fault for each finding that the other runs do not have, and the same run without it.

All train a small GPT for a few steps. What is planted: a list that keeps a tensor of each step; a validation pass that keeps
its graph; `zero_grad` behind the forward; logits in full and several copies.
"""
from simulate.models import Gpt
from simulate.program import Program
from simulate.settings import A100_40, TORCH_2_10, Settings
from simulate.stacks import FUNCTIONAL_PY
from simulate.training import MAIN, TRAIN_PY, TRAIN_STEP, AdamW, Loss, Saved, Transformer

MODEL = Gpt(layers=2, hidden=128, vocab=4096, positions=128)
GPT2_VOCABULARY = Gpt(layers=2, hidden=128, vocab=50257, positions=256)
STEPS = 8
CACHED_STEPS = 4
VALIDATE = MAIN.call("validate", TRAIN_PY, 91)
METRICS_PY = "/workspace/train/metrics.py"


class Trainer:
    def __init__(self, seed, model=MODEL, batch=8, sequence=128, settings=Settings()):
        self.program = Program(seed, A100_40, settings, era=TORCH_2_10)
        self.transformer = Transformer(self.program, model, batch, sequence)
        self.transformer.load(MAIN.call("build_model", "/workspace/train/model.py", 104))
        self.loss = Loss(self.transformer)
        self.optimizer = AdamW(self.program, self.transformer.sizes)
        self.gradients = [None] * len(self.transformer.sizes)

    def forward(self):
        return self.transformer.forward(TRAIN_STEP) + self.loss.forward(TRAIN_STEP)

    def finish(self, saved):
        self.transformer.backward(saved, self.gradients)
        self.optimizer.step()
        self.program.wait(900)

    def step(self, keeps=False):
        """`keeps`: 2 MiB of hidden states and 512 KiB of scores, which something outside the step refers to."""
        self.optimizer.zero_grad(self.gradients)
        saved = self.forward()
        for size, line in ((2 << 20, 17), (512 << 10, 18)) if keeps else ():
            self.program.tensor(size, "stack", TRAIN_STEP.call("log_metrics", METRICS_PY, line))
        self.finish(saved)


# Growth across steps ------------------------------------------------------------------------------------


def growing_list():
    """Every step appends hidden states and scores to a list."""
    trainer = Trainer(41)
    for _ in range(STEPS):
        trainer.step(keeps=True)
    return trainer.program.snapshot()


def filling_cache():
    """The same bytes, for the first four batches alone: then every batch is in the cache."""
    trainer = Trainer(42)
    for number in range(STEPS):
        trainer.step(keeps=number < CACHED_STEPS)
    return trainer.program.snapshot()


# Retained graph -----------------------------------------------------------------------------------------


def retained_graph():
    """Before each step a validation pass with gradients, whose result goes into a list: its graph stays."""
    trainer = Trainer(43)
    for _ in range(STEPS):
        trainer.transformer.forward(VALIDATE)
        trainer.step()
    return trainer.program.snapshot()


def validation_without_graph():
    """The same under no_grad: the result alone stays until the next one."""
    trainer, result = Trainer(44), None
    for _ in range(STEPS):
        running = trainer.transformer.infer(VALIDATE)
        if result:
            trainer.program.drop(result, VALIDATE)
        result = running
        trainer.step()
    return trainer.program.snapshot()


# Gradients of the step before ---------------------------------------------------------------------------


def late_zero_grad():
    """zero_grad stands between forward and backward: the gradients of the step before are alive during forward."""
    trainer = Trainer(45)
    for _ in range(STEPS // 2):
        saved = _forward_with_entropy(trainer)
        trainer.optimizer.zero_grad(trainer.gradients)
        trainer.finish(saved)
    return trainer.program.snapshot()


def early_zero_grad():
    trainer = Trainer(46)
    for _ in range(STEPS // 2):
        trainer.optimizer.zero_grad(trainer.gradients)
        trainer.finish(_forward_with_entropy(trainer))
    return trainer.program.snapshot()


def _forward_with_entropy(trainer):
    """A metric of the logits takes two more of them for a moment, so that the forward has the peak."""
    saved = trainer.forward()
    site = TRAIN_STEP.call("entropy", METRICS_PY, 31)
    size = trainer.loss.elements * trainer.transformer.width
    for block in [trainer.program.tensor(size, op, site) for op in ("exp", "mul")]:
        trainer.program.drop(block, site)
    return saved


# Logits -------------------------------------------------------------------------------------------------


def logits_in_full():
    """8 × 174 × 50,257 logits in 16 bits, their fp32 copy and the log-softmax: three at once."""
    trainer = _with_gpt2_vocabulary(47)
    trainer.loss = Loss(trainer.transformer, upcast=True)
    for _ in range(3):
        trainer.step()
    return trainer.program.snapshot()


def logits_in_chunks():
    """The same loss, computed for 1/16 of the positions at a time: no logits outlive their chunk."""
    trainer = _with_gpt2_vocabulary(48)
    for _ in range(3):
        trainer.optimizer.zero_grad(trainer.gradients)
        saved = trainer.transformer.forward(TRAIN_STEP)
        trainer.finish(saved + [_chunked_loss(trainer)])
    return trainer.program.snapshot()


def _with_gpt2_vocabulary(seed):
    trainer = Trainer(seed, GPT2_VOCABULARY, batch=8, sequence=174)
    trainer.transformer.width = 2
    return trainer


def _chunked_loss(trainer):
    program, site = trainer.program, TRAIN_STEP.call("chunked_cross_entropy", FUNCTIONAL_PY, 3494)
    elements = 8 * 174 * GPT2_VOCABULARY.vocab // 16
    for _ in range(16):
        logits = program.tensor(2 * elements, "mm", site)
        program.drop(program.tensor(4 * elements, "_log_softmax", site), site)
        program.drop(logits, site)
    return Saved(program.tensor(4, "nll_loss", site), "NllLossBackward0")
