"""Memory and time that a run could do without, one kind each, and the same run without it.

What is planted: attention that holds its matrices; copies that autocast makes; a cache that is emptied after every step;
block sizes rounded up by a setting. The trainer is that of `faults`.
"""
from simulate.scenarios.faults import MODEL, STEPS, Trainer
from simulate.settings import Settings
from simulate.stacks import FUNCTIONAL_PY
from simulate.training import LAYER, MAIN, MODEL_PY, TRAIN_PY, Step, Transformer

BATCH, SEQUENCE, HEADS = 8, 128, 8
FLUSH = MAIN.call("train_epoch", TRAIN_PY, 99)

# Attention ----------------------------------------------------------------------------------------------

MATRIX = HEADS * SEQUENCE // MODEL.hidden   # of B × heads × T × T elements, in units of B × T × hidden
EAGER_LAYER = LAYER[:2] + (
    Step("baddbmm", MATRIX, 30, "BaddbmmBackward0", ()),
    Step("_softmax", MATRIX, 31, "SoftmaxBackward0", ()),
    Step("bmm", 1, 43, "BmmBackward0", ()),
) + LAYER[3:]


class EagerTransformer(Transformer):
    """Scores and softmax are tensors of their own, and the graph saves both."""

    def _place(self, top, step):
        place = super()._place(top, step)
        if step.op not in ("baddbmm", "_softmax"):
            return place
        place = place.call("eager_attention", MODEL_PY, step.line)
        return place.call("softmax", FUNCTIONAL_PY, 2133) if step.op == "_softmax" else place


def eager_attention():
    trainer = Trainer(51)
    trainer.transformer.__class__ = EagerTransformer
    trainer.transformer.layer = EAGER_LAYER
    return _steps(trainer)


def flash_attention():
    """The same model; the kernel never holds a matrix."""
    return _steps(Trainer(52))


# Autocast -----------------------------------------------------------------------------------------------

LOWERING = ("at::autocast::WrapFunction_<(at::autocast::CastPolicy)0, (c10::DeviceType)1, at::Tensor"
            " (at::Tensor const&, at::Tensor const&, std::optional<at::Tensor> const&)>::call("
            "at::Tensor const&, at::Tensor const&, std::optional<at::Tensor> const&)", "??", 0)
CAST = Step("_to_copy", 2, 55, "ToCopyBackward0", ())   # of the GELU's output, in half as many bytes
AUTOCAST_LAYER = LAYER[:8] + (CAST,) + LAYER[8:]


class AutocastTransformer(Transformer):
    def _place(self, top, step):
        place = super()._place(top, step)
        return place.call(*LOWERING) if step is CAST else place


def autocast():
    """The last projection of each layer reads a copy in 16 bits, which the graph keeps beside the original."""
    trainer = Trainer(57)
    trainer.transformer.__class__ = AutocastTransformer
    trainer.transformer.layer = AUTOCAST_LAYER
    return _steps(trainer)


def _steps(trainer):
    for _ in range(STEPS // 2):
        trainer.step()
    return trainer.program.snapshot()


# Cache --------------------------------------------------------------------------------------------------


def flush_every_step():
    trainer = Trainer(53)
    for _ in range(STEPS):
        trainer.step()
        trainer.program.empty_cache(FLUSH)
    return trainer.program.snapshot()


def flush_once():
    """After the first step alone, as one does when a model has been loaded."""
    trainer = Trainer(54)
    for number in range(STEPS):
        trainer.step()
        if number == 0:
            trainer.program.empty_cache(FLUSH)
    return trainer.program.snapshot()


# Rounding -----------------------------------------------------------------------------------------------


def rounded_sizes():
    """Two steps from a power of two to the next: 448 KiB get a block of 512."""
    settings = Settings(conf="roundup_power2_divisions:2", power2_divisions=2)
    return _steps(Trainer(55, sequence=112, settings=settings))


def exact_sizes():
    return _steps(Trainer(56, sequence=112))
