"""Reference case R2: GRPO of a character model, whose three forward passes leave three tensors of logits, before and after.

True sizes: 2 prompts × a group of 4 = 8 sequences, 1,024 tokens, a vocabulary of 67 in fp32: 8 × 1,024 × 67 × 4 = 2,195,456
bytes of logits, 6,586,368 for sampling, reference and policy together, times the accumulated micro-steps. Log-probabilities
are 8 × 1,024 × 4 = 32,768 bytes; rewards, advantages and KL 32 bytes each.

Before: sampling returns its logits, which nothing uses, and the trainer keeps the outputs of all three passes of each
micro-step until the update. After (`Rules`): sampling returns tokens alone, the reference's logits are deleted once the
log-probabilities are there, and the policy's go with its graph. Log-probabilities stay until the update in both.
The model (4 layers of 128, 932,992 parameters) and 8 micro-steps an update are invented; a sampling round stands for 256 tokens.
"""
from dataclasses import dataclass

from simulate.models import Gpt
from simulate.program import Program
from simulate.settings import A100_40, TORCH_2_10
from simulate.stacks import script
from simulate.training import LAYER, LINEAR_PY, AdamW, Saved, Transformer

TRAIN_PY = "/workspace/char_grpo/train_grpo.py"
TRAINER_PY = "/workspace/char_grpo/trainer.py"
SAMPLING_PY = "/workspace/char_grpo/sampling.py"
MODEL_PY = "/workspace/char_grpo/model.py"
MAIN = script(TRAIN_PY, 83, 95)
UPDATE = MAIN.call("train", TRAINER_PY, 44)
MICRO_STEP = UPDATE.call("micro_step", TRAINER_PY, 97)

MODEL = Gpt(layers=4, hidden=128, vocab=67, positions=1024)
BATCH, GROUP, LENGTH, WIDTH = 2, 4, 1024, 4
SEQUENCES = BATCH * GROUP
UPDATES, ACCUMULATED = 3, 8
TOKENS_A_ROUND = 256
LOGITS = SEQUENCES * LENGTH * MODEL.vocab * WIDTH
FUSED_LAYER = tuple(step for step in LAYER if step.saved)


@dataclass(frozen=True)
class Rules:
    sampling_returns_logits: bool
    outputs_kept: bool   # logits of reference and policy, until the update


BEFORE = Rules(True, True)
AFTER = Rules(False, False)


def before():
    return _run(BEFORE, seed=23)


def after():
    return _run(AFTER, seed=24)


def _run(rules, seed):
    program = Program(seed, A100_40, era=TORCH_2_10)
    trainer = Grpo(program, rules)
    for _ in range(UPDATES):
        trainer.update()
    return program.snapshot()


class Grpo:
    def __init__(self, program, rules):
        self.program, self.rules = program, rules
        self.policy = Transformer(program, MODEL, SEQUENCES, LENGTH, WIDTH, FUSED_LAYER, MODEL_PY)
        load = MAIN.call("load_models", TRAIN_PY, 35)
        self.policy.load(load.call("load_policy", MODEL_PY, 120))
        self.policy.load(load.call("load_reference", MODEL_PY, 131))
        self.optimizer = AdamW(program, self.policy.sizes, site=UPDATE)
        self.gradients = [None] * len(self.policy.sizes)
        self.kept = []   # of the micro-steps since the last update

    def update(self):
        for _ in range(ACCUMULATED):
            self._micro_step()
        self.optimizer.step()
        self.optimizer.zero_grad(self.gradients)
        for block in self.kept:
            self.program.drop(block, UPDATE)
        self.kept = []
        self.program.wait(1200)

    def _micro_step(self):
        self._sample(MICRO_STEP.call("generate", SAMPLING_PY, 41))
        self._rewards(MICRO_STEP.call("compute_advantages", TRAINER_PY, 126))
        self._reference(MICRO_STEP.call("reference_log_probs", TRAINER_PY, 109))
        self._train(MICRO_STEP.call("policy_log_probs", TRAINER_PY, 116))

    # Sampling: no key-value cache, every round runs the model on all tokens so far ---------------------------

    def _sample(self, site):
        self.kept.append(self.program.tensor(8 * SEQUENCES * LENGTH, "empty", site))   # tokens, int64
        rows = [self._round(site, length) for length in range(TOKENS_A_ROUND, LENGTH + 1, TOKENS_A_ROUND)]
        if self.rules.sampling_returns_logits:
            self.kept.append(self.program.tensor(LOGITS, "cat", site.call("collect_logits", SAMPLING_PY, 58)))
        for block in rows:
            self.program.drop(block, site)
        self.policy.sequence = LENGTH

    def _round(self, site, length):
        """The logits of the tokens that the round adds; whoever needs none samples from them at once."""
        self.policy.sequence = length
        running = self.policy.infer(site)
        rows = self.program.tensor(LOGITS * TOKENS_A_ROUND // LENGTH, "mm", self._head(site))
        self.program.drop(running, site)
        return rows

    def _rewards(self, site):
        """Rewards, advantages, and the mean KL of each sequence."""
        self.kept += [self.program.tensor(4 * SEQUENCES, op, site) for op in ("stack", "sub", "mean")]

    # Log-probabilities and gradients --------------------------------------------------------------------------

    @staticmethod
    def _head(site):
        return site.module(MODEL_PY, 97).module(LINEAR_PY, 134)

    def _score(self, site):
        """Logits, and from them the log-probability of each token, sequence by sequence."""
        logits = self.program.tensor(LOGITS, "mm", self._head(site))
        place = site.call("selective_log_softmax", TRAINER_PY, 141)
        for _ in range(SEQUENCES):
            self.program.drop(self.program.tensor(LOGITS // SEQUENCES, "logsumexp", place), place)
        self.kept.append(self.program.tensor(SEQUENCES * LENGTH * 4, "gather", place))
        return logits

    def _reference(self, site):
        running = self.policy.infer(site)
        logits = self._score(site)
        self.program.drop(running, site)
        if self.rules.outputs_kept:
            self.kept.append(logits)
        else:
            self.program.drop(logits, site)

    def _train(self, site):
        saved = self.policy.forward(site)
        logits = self._score(site)
        outputs = [logits] if self.rules.outputs_kept else []
        self.policy.backward(saved + [Saved(logits, "MmBackward0")], self.gradients, outputs)
        self.kept += outputs
