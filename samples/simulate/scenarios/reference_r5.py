"""Reference case R5: FLAN-T5-XL (2,849,757,184 parameters, bf16) on a 32 GB card, batch 8, AdamW with 8-bit states.

Before: loaded by device_map="auto", converted to bf16 again, moved to the GPU again, and the old copies are kept: the
parameter set is present three times, and the forward of the second step does not fit. After: once; with the allocator
settings of the case, and the cache flushed after every second batch. The 8-bit state is what makes "AdamW 6 GB" of it.
Its reserved bytes touch 30.7 GiB once, in the first step: freed activations join into blocks above max_split_size_mb,
which smaller requests may not use, until the allocator releases its cache.
Coarser than a real run: an encoder layer makes 4 activations, a decoder layer 6. Gradients stay between steps.
"""
from simulate.allocator import OutOfMemory
from simulate.models import FLAN_T5_XL
from simulate.program import Program
from simulate.settings import MIB, RTX_5090, TORCH_2_10, Settings
from simulate.stacks import MODULE_PY, SITE_PACKAGES, script
from simulate.training import LINEAR_PY, NORM_PY, AdamW, Saved, backward

TRAIN_PY = "/workspace/flan/train.py"
T5_PY = f"{SITE_PACKAGES}/transformers/models/t5/modeling_t5.py"
LOADING_PY = f"{SITE_PACKAGES}/transformers/modeling_utils.py"
MAIN = script(TRAIN_PY, 88, 97)
STEP = MAIN.call("train_step", TRAIN_PY, 52)
BATCH, SOURCE, TARGET, WIDTH = 8, 384, 160, 2
CONF = "expandable_segments:True,max_split_size_mb:128,roundup_power2_divisions:16,garbage_collection_threshold:0.7"
TUNED = Settings(CONF, max_split_size=128 * MIB, gc_threshold=0.7, expandable=True, power2_divisions=16)

# (operator, width in units of batch × length × hidden, line in modeling_t5.py, module, backward node, share of the layer's parameters)
ATTENTION = (("addmm", 4, 512, (LINEAR_PY, 134), "MmBackward0", slice(0, 4)),
             ("_scaled_dot_product_flash_attention", 1, 548, None, "ScaledDotProductFlashAttentionBackward0", slice(4, 5)))
FEED_FORWARD = (("gelu", 10, 310, None, "GeluBackward0", slice(-4, -1)),
                ("add", 2, 341, (NORM_PY, 217), "AddBackward0", slice(-1, None)))
CROSS = (("addmm", 3, 622, (LINEAR_PY, 134), "MmBackward0", slice(5, 9)),
         ("_scaled_dot_product_flash_attention", 2, 655, None, "ScaledDotProductFlashAttentionBackward0", slice(9, 10)))


def before():
    program = Program(31, RTX_5090, era=TORCH_2_10)
    trainer = Trainer(program)
    trainer.load(MAIN.call("from_pretrained", LOADING_PY, 4130).call("_load_state_dict_into_meta_model", LOADING_PY, 748))
    trainer.load(MAIN.call("to", LOADING_PY, 3110).call("to", MODULE_PY, 1355).call("convert", MODULE_PY, 1341))
    trainer.load(MAIN.call("move_to_device", TRAIN_PY, 44).call("to", MODULE_PY, 1355).call("convert", MODULE_PY, 1341))
    try:
        trainer.step()
        trainer.step()
    except OutOfMemory:
        return program.snapshot()
    raise AssertionError("three copies must not fit")


def after():
    program = Program(32, RTX_5090, TUNED, era=TORCH_2_10)
    trainer = Trainer(program)
    trainer.load(MAIN.call("from_pretrained", LOADING_PY, 4130).call("_load_state_dict_into_meta_model", LOADING_PY, 748))
    for number in range(4):
        trainer.step()
        if number % 2:
            program.empty_cache(MAIN.call("train_epoch", TRAIN_PY, 71))
    return program.snapshot()


class Trainer:
    def __init__(self, program):
        self.program = program
        self.sizes = [elements * WIDTH for _, elements in FLAN_T5_XL.parameters()]
        self.gradients = [None] * len(self.sizes)
        self.optimizer = AdamW(program, self.sizes, [size // 2 for size in self.sizes], STEP, foreach=False)

    def load(self, site):
        for size in self.sizes:
            self.program.tensor(size, "_to_copy", site)

    def step(self):
        saved = self._stack(SOURCE, ATTENTION + FEED_FORWARD, 1, 9)
        saved += self._stack(TARGET, ATTENTION + CROSS + FEED_FORWARD, 1 + 24 * 9 + 2, 14)
        saved += self._loss()
        backward(self.program, saved, self.gradients, self.sizes)
        self.optimizer.step()
        with self.program.range("Optimizer.zero_grad#AdamW.zero_grad"):
            self.program.wait(40)   # set_to_none=False
        self.program.wait(3000)

    def _stack(self, length, layer, first, parameters):
        """`first`: index of the stack's first parameter; `parameters`: how many each layer has."""
        unit = BATCH * length * FLAN_T5_XL.hidden * WIDTH
        top = STEP.module(T5_PY, 1872).module(T5_PY, 1109)
        saved = []
        for index in range(FLAN_T5_XL.layers):
            own = range(first + index * parameters, first + (index + 1) * parameters)
            for op, width, line, module, node, share in layer:
                site = top.module(T5_PY, line)
                block = self.program.tensor(width * unit, op, site.module(*module) if module else site)
                saved.append(Saved(block, node, tuple(own[share])))
        return saved

    def _loss(self):
        logits = BATCH * TARGET * FLAN_T5_XL.vocab
        head = STEP.module(T5_PY, 1907)
        return [Saved(self.program.tensor(logits * WIDTH, "mm", head.module(LINEAR_PY, 134)), "MmBackward0", self._outside()),
                Saved(self.program.tensor(logits * 4, "_log_softmax", head), "LogSoftmaxBackward0")]

    def _outside(self):
        """Parameters of no layer: embedding, position tables, final norms, lm_head."""
        decoder = 1 + 24 * 9 + 2
        return (0, decoder - 2, decoder - 1) + tuple(range(decoder + 24 * 14, len(self.sizes)))
