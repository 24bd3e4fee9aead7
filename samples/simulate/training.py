"""A transformer's training step as allocations: forward saves, backward frees in reverse, the optimizer keeps state."""
from dataclasses import dataclass

from simulate.stacks import FUNCTIONAL_PY, TORCH, script

MODEL_PY = "/workspace/train/model.py"
TRAIN_PY = "/workspace/train/train.py"
LINEAR_PY = f"{TORCH}/nn/modules/linear.py"
NORM_PY = f"{TORCH}/nn/modules/normalization.py"
ACTIVATION_PY = f"{TORCH}/nn/modules/activation.py"
ADAMW_PY = f"{TORCH}/optim/adamw.py"
OPTIMIZER_PY = f"{TORCH}/optim/optimizer.py"

MAIN = script(TRAIN_PY, 118, 131)
TRAIN_STEP = MAIN.call("train_step", TRAIN_PY, 70)

# model.py: attention before line 50, MLP before 60, the block's own forward behind; it calls them at lines 62 and 64.
SUBMODULES, BLOCK_END = ((50, 62), (60, 64)), 65


@dataclass(frozen=True)
class Step:
    """One activation of a layer, in units of batch × sequence × hidden elements."""
    op: str
    width: int
    line: int           # in model.py
    node: str           # autograd node that makes its gradient
    parameters: tuple   # gradients that the same node makes, as indices into the layer's parameters
    saved: bool = True
    inside: tuple = ()  # the torch module that makes the call: file, line
    weight_node: str = ""  # the node that makes the gradients of `parameters`, where it is another one


LAYER = (
    Step("native_layer_norm", 1, 61, "NativeLayerNormBackward0", (0, 1), inside=(NORM_PY, 217)),
    Step("addmm", 3, 39, "AddmmBackward0", (2, 3), inside=(LINEAR_PY, 134)),
    Step("_scaled_dot_product_flash_attention", 1, 43, "ScaledDotProductFlashAttentionBackward0", ()),
    Step("addmm", 1, 45, "AddmmBackward0", (), saved=False, inside=(LINEAR_PY, 134)),
    Step("add", 1, 62, "AddBackward0", (4, 5), weight_node="AddmmBackward0"),
    Step("native_layer_norm", 1, 63, "NativeLayerNormBackward0", (6, 7), inside=(NORM_PY, 217)),
    Step("addmm", 4, 53, "AddmmBackward0", (8, 9), inside=(LINEAR_PY, 134)),
    Step("gelu", 4, 54, "GeluBackward0", (), inside=(ACTIVATION_PY, 734)),
    Step("addmm", 1, 55, "AddmmBackward0", (), saved=False, inside=(LINEAR_PY, 134)),
    Step("add", 1, 64, "AddBackward0", (10, 11), weight_node="AddmmBackward0"),
)


@dataclass
class Saved:
    """A tensor that the graph keeps, and what its backward makes."""
    block: object
    node: str
    parameters: tuple = ()
    weight_node: str = ""


class Transformer:
    """Forward and backward of a Gpt at a given batch; `width` is bytes per element."""

    def __init__(self, program, model, batch, sequence, width=4, layer=LAYER, model_py=MODEL_PY):
        self.program, self.model = program, model
        self.batch, self.sequence, self.width = batch, sequence, width
        self.layer, self.model_py = layer, model_py
        self.sizes = [elements * width for _, elements in model.parameters()]

    def load(self, site, op="empty"):
        """One copy of the parameters."""
        return [self.program.tensor(size, op, site) for size in self.sizes]

    def unit(self):
        return self.batch * self.sequence * self.model.hidden * self.width

    def forward(self, site, layers=None):
        """Returns what the graph saves, oldest first."""
        top = site.module(self.model_py, 92)
        words = self.program.tensor(self.unit(), "embedding", top.call("embedding", FUNCTIONAL_PY, 2551))
        saved = [Saved(words, "EmbeddingBackward0", (0, 1))]
        for index in range(layers or self.model.layers):
            saved += self._layer(top, index)
        norm = self.program.tensor(self.unit(), "native_layer_norm", top.module(NORM_PY, 217))
        return saved + [Saved(norm, "NativeLayerNormBackward0", (-2, -1))]

    def _layer(self, top, index):
        site = top.module(self.model_py, BLOCK_END)
        first = 2 + 12 * index
        saved, temporary = [], None
        for step in self.layer:
            block = self.program.tensor(step.width * self.unit(), step.op, self._place(top, step))
            if temporary:
                self.program.drop(temporary, site)
                temporary = None
            if step.saved:
                saved.append(Saved(block, step.node, tuple(first + one for one in step.parameters), step.weight_node))
            else:
                temporary = block
        return saved

    def _place(self, top, step):
        """The block's forward, one of its two submodules where the line is theirs, a torch module inside."""
        caller = next((line for first, line in SUBMODULES if step.line < first), step.line)
        place = top.module(self.model_py, caller)
        if caller != step.line:
            place = place.module(self.model_py, step.line)
        return place.module(*step.inside) if step.inside else place

    def infer(self, site, layers=None):
        """The same forward under no_grad: only the running activation lives."""
        top, running = site.module(self.model_py, 92), None
        for _ in range(layers or self.model.layers):
            for step in (one for one in self.layer if one.width in (3, 4) or one.line == 64):
                block = self.program.tensor(step.width * self.unit(), step.op, self._place(top, step))
                if running:
                    self.program.drop(running, top.module(self.model_py, BLOCK_END))
                running = block
        return running

    def backward(self, saved, gradients, kept=()):
        backward(self.program, saved, gradients, self.sizes, kept)


def backward(program, saved, gradients, sizes, kept=()):
    """Walks the graph from the loss to the inputs. `gradients` holds one block (or None) for each parameter;

    `kept` blocks outlive the graph because Python refers to them.
    """
    running = None
    for entry in reversed(saved):
        made = program.gradient(entry.block.requested, "mm", entry.node)
        for index in entry.parameters:
            if gradients[index] is None:
                gradients[index] = program.gradient(sizes[index], "mm", entry.weight_node or entry.node)
        if running:
            program.drop_backward(running)
        if entry.block not in kept:
            program.drop_backward(entry.block)
        running = made
    program.drop_backward(running)


class AdamW:
    """torch.optim.AdamW: state at the first step, multi-tensor temporaries in each one."""

    def __init__(self, program, sizes, state_sizes=None, site=TRAIN_STEP, foreach=True):
        self.program, self.sizes = program, sizes
        self.state_sizes = state_sizes or sizes
        self.state, self.foreach, self.caller = [], foreach, site
        self.site = site.call("wrapper", OPTIMIZER_PY, 533).call("step", ADAMW_PY, 232)

    def step(self):
        with self.program.range("Optimizer.step#AdamW.step"):
            if not self.state:
                self._init_group()
            if self.foreach:
                self._update()

    def _init_group(self):
        site = self.site.call("_init_group", ADAMW_PY, 175)
        for size in self.state_sizes:
            self.state += [self.program.tensor(size, "zeros_like", site) for _ in range(2)]

    def _update(self):
        """_foreach_sqrt makes a list about as large as one state; it dies at the end of the step."""
        site = self.site.call("adamw", ADAMW_PY, 954).call("_multi_tensor_adamw", ADAMW_PY, 794)
        roots = [self.program.tensor(size, "_foreach_sqrt", site) for size in self.state_sizes]
        for block in roots:
            self.program.drop(block, site)

    def zero_grad(self, gradients):
        """set_to_none=True, the default: gradients are returned."""
        with self.program.range("Optimizer.zero_grad#AdamW.zero_grad"):
            site = self.caller.call("zero_grad", OPTIMIZER_PY, 1059)
            for index, block in enumerate(gradients):
                if block is not None:
                    self.program.drop(block, site)
                gradients[index] = None


class Loss:
    """Logits, their fp32 copy, log-softmax and the scalar: the tensors that usually make the peak."""

    def __init__(self, transformer, tokens=None, upcast=False):
        self.transformer, self.upcast = transformer, upcast
        self.elements = transformer.batch * (tokens or transformer.sequence) * transformer.model.vocab

    def forward(self, site):
        program, width = self.transformer.program, self.transformer.width
        place = site.call("compute_loss", TRAIN_PY, 48)
        head = site.module(self.transformer.model_py, 97).module(LINEAR_PY, 134)
        saved = [Saved(program.tensor(self.elements * width, "mm", head), "MmBackward0")]
        if self.upcast:
            saved.append(Saved(program.tensor(self.elements * 4, "_to_copy", place), "ToCopyBackward0"))
        entropy = place.call("cross_entropy", FUNCTIONAL_PY, 3494)
        soft = program.tensor(self.elements * (4 if self.upcast else width), "_log_softmax", entropy)
        return saved + [Saved(soft, "LogSoftmaxBackward0"), self._scalar(program, entropy)]

    def _scalar(self, program, site):
        return Saved(program.tensor(4, "nll_loss", site), "NllLossBackward0")


def train_step(transformer, loss, optimizer, gradients):
    """zero_grad, forward, backward, step, as most scripts write it."""
    optimizer.zero_grad(gradients)
    saved = transformer.forward(TRAIN_STEP) + loss.forward(TRAIN_STEP)
    transformer.program.wait(400)
    transformer.backward(saved, gradients)
    optimizer.step()
    transformer.program.wait(900)
