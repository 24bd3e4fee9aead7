"""Runs whose steps and phases only the stacks tell: gradient accumulation, reinforcement learning, and one without stacks."""
from simulate.models import TINY_GPT
from simulate.program import Program
from simulate.settings import A100_40, TORCH_2_14
from simulate.stacks import NoStacks, script
from simulate.training import LINEAR_PY, MAIN, TRAIN_STEP, AdamW, Loss, Transformer, train_step

STEPS = 6
ACCUMULATED, UPDATES = 2, 3
ITERATIONS = 3

GRPO_PY = "/workspace/rl/train_grpo.py"
TRAINER_PY = "/workspace/rl/trainer.py"
ROLLOUT_PY = "/workspace/rl/rollout.py"
MODEL_PY = "/workspace/rl/model.py"
GRPO_MAIN = script(GRPO_PY, 74, 88)
TOKENS_A_ROUND = 16
PROMPT, COMPLETION = 32, 96


def _trainer(program, batch, sequence):
    transformer = Transformer(program, TINY_GPT, batch, sequence)
    transformer.load(MAIN.call("build_model", "/workspace/train/model.py", 104))
    return transformer, Loss(transformer), AdamW(program, transformer.sizes), [None] * len(transformer.sizes)


def no_frames():
    """_record_memory_history(context=None): no stack anywhere; and no annotations."""
    program = Program(31, A100_40, era=TORCH_2_14)
    program.stacks = NoStacks()
    parts = _trainer(program, batch=8, sequence=256)
    for _ in range(STEPS):
        train_step(*parts)
    program.annotations.entries.clear()
    return program.snapshot()


def accumulation():
    """Two micro-steps for each optimizer step; the second adds to the gradients of the first in place."""
    program = Program(32, A100_40, era=TORCH_2_14)
    transformer, loss, optimizer, gradients = _trainer(program, batch=4, sequence=256)
    for _ in range(UPDATES):
        optimizer.zero_grad(gradients)
        for _ in range(ACCUMULATED):
            saved = transformer.forward(TRAIN_STEP) + loss.forward(TRAIN_STEP)
            transformer.backward(saved, gradients)
        optimizer.step()
    program.annotations.entries.clear()
    return program.snapshot()


def grpo():
    """Each iteration samples, scores with the reference, trains; an evaluation follows the last one."""
    program = Program(33, A100_40, era=TORCH_2_14)
    run = Grpo(program)
    for number in range(ITERATIONS):
        run.iteration(number)
    run.generate(GRPO_MAIN.call("evaluate", TRAINER_PY, 140), COMPLETION)
    program.annotations.entries.clear()
    return program.snapshot()


class Grpo:
    """A policy that is trained and a frozen reference, over completions whose length differs from iteration to iteration."""

    def __init__(self, program):
        self.program = program
        self.policy = Transformer(program, TINY_GPT, 8, PROMPT + COMPLETION, model_py=MODEL_PY)
        load = GRPO_MAIN.call("load_models", GRPO_PY, 31)
        self.policy.load(load.call("load_policy", MODEL_PY, 120))
        self.policy.load(load.call("load_reference", MODEL_PY, 131))
        self.optimizer = AdamW(program, self.policy.sizes, site=GRPO_MAIN.call("train", TRAINER_PY, 96))
        self.gradients = [None] * len(self.policy.sizes)

    def iteration(self, number):
        site = GRPO_MAIN.call("train", TRAINER_PY, 60)
        completion = COMPLETION - 2 * TOKENS_A_ROUND * (number % 2)
        self.policy.sequence = PROMPT + completion
        tokens = self.generate(site, completion)
        reference = self._score(site.call("reference_log_probs", TRAINER_PY, 71))
        self._train(site.call("compute_loss", TRAINER_PY, 82))
        for block in (tokens, reference):
            self.program.drop(block, site)

    def generate(self, site, completion):
        """Under no_grad: the key-value cache grows by being copied, activations go at once. Returns the tokens."""
        program, model = self.program, self.policy.model
        loop = site.call("generate", ROLLOUT_PY, 38)
        tokens = program.tensor(8 * self.policy.batch * (PROMPT + completion), "empty", loop)
        cache = None
        for length in range(PROMPT, PROMPT + completion, TOKENS_A_ROUND):
            forward = loop.module(MODEL_PY, 92)
            size = 2 * model.layers * self.policy.batch * length * model.hidden * self.policy.width
            longer = program.tensor(size, "cat", forward.module(MODEL_PY, 41).call("update_cache", MODEL_PY, 28))
            if cache:
                program.drop(cache, forward)
            cache = longer
            logits = program.tensor(self.policy.batch * model.vocab * self.policy.width, "mm", loop.module(MODEL_PY, 97).module(LINEAR_PY, 134))
            program.drop(logits, loop)
        program.drop(cache, loop)
        return tokens

    def _score(self, site):
        """The reference's forward, and the log-probability of each token."""
        program = self.program
        running = self.policy.infer(site)
        logits = program.tensor(self.policy.batch * self.policy.sequence * self.policy.model.vocab * self.policy.width, "mm",
                                site.module(MODEL_PY, 97).module(LINEAR_PY, 134))
        program.drop(running, site)
        scores = program.tensor(self.policy.batch * self.policy.sequence * 4, "gather", site.call("selective_log_softmax", TRAINER_PY, 118))
        program.drop(logits, site)
        return scores

    def _train(self, site):
        saved = self.policy.forward(site) + Loss(self.policy).forward(site)
        self.policy.backward(saved, self.gradients)
        self.optimizer.step()
        self.optimizer.zero_grad(self.gradients)
