"""Reference case R3: a language model whose vocabulary of 50,257 makes the logits the largest tensor, and whose graphs stay.

True sizes: 128 sequences of 256 tokens in fp32, logits of 128 × 256 × 50,257 × 4 = 6,587,285,504 bytes (6.13 GiB), their
log-softmax as large, and both gradients; a card of 40 GB. The model stores the last hidden states of each batch on `self`
without detach, and backward runs with retain_graph: the 18 tensors that the layers saved stay, 34 × 83,886,080 =
2,852,126,720 bytes a step. The eighth step does not fit. After: detached, so that one tensor of hidden states stays, and
a vocabulary of 10,000: logits of 1,310,720,000 bytes; ten steps.

Two layers of 640 are invented to come near the case's 40 M parameters: 42,176,640 with the large vocabulary, 16,412,160
with the small one.
"""
from simulate.allocator import OutOfMemory
from simulate.models import Gpt
from simulate.program import Program
from simulate.settings import A100_40, TORCH_2_10, Settings
from simulate.stacks import FUNCTIONAL_PY, script
from simulate.training import LINEAR_PY, AdamW, Saved, Transformer

TRAIN_PY = "/workspace/lm/train.py"
MODEL_PY = "/workspace/lm/model.py"
MAIN = script(TRAIN_PY, 77, 90)
STEP = MAIN.call("train_step", TRAIN_PY, 52)
BATCH, LENGTH, WIDTH = 128, 256, 4
MOST_STEPS = 20
STEPS_AFTER = 10
EXPANDABLE = Settings("expandable_segments:True", expandable=True)


def before():
    trainer = Trainer(seed=25, vocabulary=50257, detaches=False)
    try:
        for _ in range(MOST_STEPS):
            trainer.step()
    except OutOfMemory:
        return trainer.program.snapshot()
    raise AssertionError("graphs that stay must fill the card")


def after():
    trainer = Trainer(seed=26, vocabulary=10000, detaches=True)
    for _ in range(STEPS_AFTER):
        trainer.step()
    return trainer.program.snapshot()


class Trainer:
    def __init__(self, seed, vocabulary, detaches):
        self.program = Program(seed, A100_40, EXPANDABLE, era=TORCH_2_10)
        self.detaches = detaches
        model = Gpt(layers=2, hidden=640, vocab=vocabulary, positions=LENGTH)
        self.model = Transformer(self.program, model, BATCH, LENGTH, WIDTH, model_py=MODEL_PY)
        self.model.load(MAIN.call("build_model", MODEL_PY, 104))
        self.logits = BATCH * LENGTH * vocabulary * WIDTH
        self.optimizer = AdamW(self.program, self.model.sizes, site=STEP)
        self.gradients = [None] * len(self.model.sizes)
        self.memory = None   # self.memory of the model, where it is detached

    def step(self):
        self.optimizer.zero_grad(self.gradients)
        saved = self.model.forward(STEP)
        graph = [entry.block for entry in saved]
        kept = graph[-1:] if self.detaches else graph
        self.model.backward(saved + self._loss(), self.gradients, kept)
        self.optimizer.step()
        if self.detaches:
            self._remember(graph[-1])
        self.program.wait(900)

    def _remember(self, hidden):
        """self.memory = hidden.detach(): the one of the batch before goes."""
        if self.memory:
            self.program.drop(self.memory, STEP.module(MODEL_PY, 99))
        self.memory = hidden

    def _loss(self):
        program, place = self.program, STEP.call("compute_loss", TRAIN_PY, 38)
        entropy = place.call("cross_entropy", FUNCTIONAL_PY, 3494)
        head = STEP.module(MODEL_PY, 97).module(LINEAR_PY, 134)
        return [Saved(program.tensor(self.logits, "mm", head), "MmBackward0"),
                Saved(program.tensor(self.logits, "_log_softmax", entropy), "LogSoftmaxBackward0"),
                Saved(program.tensor(4, "nll_loss", entropy), "NllLossBackward0")]
