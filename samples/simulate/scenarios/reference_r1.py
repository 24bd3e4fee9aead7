"""Reference case R1: GRPO on a 124 M-parameter model that fills a 24 GB card, before and after fixes that do not cure it.

True sizes: 124,439,808 bf16 parameters twice (policy, reference), 8 sequences, prompts of 30 tokens, completions of 144,
logits of 8 × 174 × 50,257 × 2 bytes, hidden states padded to 1,024. Coarser than a real run: a decoding round stands
for 8 tokens and holds the bytes of all 8, and a layer makes 8 tensors.

What the fixes remove (`Rules`): the graph that generation keeps without no_grad, its stacked logits, evaluation with a
graph, prompts padded to n_positions. What stays in both runs, and is the point of the case: the trainer appends each
step's model outputs to a history. They hold hidden states, keys and values padded to 1,024 instead of 174, and logits, so
every step adds the same bytes until the card is full. The fixed run dies six steps later, in the same GELU, at 22.65 GiB
instead of 22.62. The reward table and the bytes outside PyTorch are invented; they place the last GELU there.
"""
from dataclasses import dataclass

from simulate.allocator import OutOfMemory
from simulate.models import GPT2_SMALL
from simulate.program import Program
from simulate.settings import MIB, RTX_4090, TORCH_2_10, Card, Settings
from simulate.stacks import script
from simulate.training import LAYER, LINEAR_PY, AdamW, Saved, Transformer

TRAINER_PY = "/workspace/grpo/trainer.py"
ROLLOUT_PY = "/workspace/grpo/rollout.py"
MODEL_PY = "/workspace/grpo/model.py"
MAIN = script("/workspace/grpo/train_grpo.py", 96, 112)
STEP = MAIN.call("train", TRAINER_PY, 61).call("training_step", TRAINER_PY, 148)

BATCH, PROMPT, COMPLETION, PADDED, WIDTH = 8, 30, 144, 1024, 2
TOKENS_A_ROUND = 8
FUSED_LAYER = tuple(step for step in LAYER if step.saved)
LOGITS = BATCH * (PROMPT + COMPLETION) * GPT2_SMALL.vocab * WIDTH
MOST_STEPS = 40
PROMPTS = 6000   # tokenised prompts, int64, resident on the device
REWARD_TABLE = 64 * MIB
EXPANDABLE = Settings("expandable_segments:True", expandable=True)


@dataclass(frozen=True)
class Rules:
    generation_keeps_graph: bool
    generation_keeps_logits: bool
    evaluation_keeps_graph: bool
    prompt_length: int   # encode_batch without max_length pads to n_positions
    outside: int         # what other programs and the context hold on the card


BEFORE = Rules(True, True, True, 1024, 806 * MIB)
AFTER = Rules(False, False, False, 200, 962 * MIB)


def before():
    return _run(BEFORE, seed=21)


def after():
    return _run(AFTER, seed=22)


def _run(rules, seed):
    program = Program(seed, Card(RTX_4090.capacity, rules.outside), EXPANDABLE, era=TORCH_2_10)
    trainer = Grpo(program, rules)
    try:
        for number in range(MOST_STEPS):
            trainer.step(number)
    except OutOfMemory:
        return program.snapshot()
    raise AssertionError("this case must run out of memory")


class Grpo:
    def __init__(self, program, rules):
        self.program, self.rules = program, rules
        self.policy = Transformer(program, GPT2_SMALL, BATCH, PADDED, WIDTH, FUSED_LAYER, MODEL_PY)
        load = MAIN.call("load_models", "/workspace/grpo/train_grpo.py", 40)
        self.policy.load(load.call("load_policy", MODEL_PY, 120))
        self.policy.load(load.call("load_reference", MODEL_PY, 131))
        program.tensor(PROMPTS * rules.prompt_length * 8, "_to_copy", load.call("encode_batch", ROLLOUT_PY, 22))
        program.tensor(REWARD_TABLE, "empty", load.call("load_reward", ROLLOUT_PY, 14))
        self.optimizer = AdamW(program, self.policy.sizes, site=STEP, foreach=False)
        self.gradients = [None] * len(self.policy.sizes)
        self.history = []   # the accumulation that nobody saw

    def step(self, number):
        graph = self._generate(STEP.call("generate", ROLLOUT_PY, 57))
        self._reference(STEP.call("reference_log_probs", TRAINER_PY, 171))
        self._train(STEP.call("policy_log_probs", TRAINER_PY, 186))
        if self.rules.generation_keeps_logits:
            scores = BATCH * COMPLETION * self.policy.model.vocab * WIDTH
            self.history.append(self.program.tensor(scores, "stack", STEP.call("collect_scores", ROLLOUT_PY, 83)))
        for block in graph:
            self.program.drop(block, STEP)
        if number % 6 == 5 and self.rules.evaluation_keeps_graph:
            self._evaluate(MAIN.call("evaluate", TRAINER_PY, 233))
        self.program.wait(2500)

    # Generation ------------------------------------------------------------------------------------

    def _generate(self, site):
        """Returns what outlives the loop: with a graph, every earlier copy of the key-value cache."""
        alive, cache = [], None
        for first in range(PROMPT, PROMPT + COMPLETION, TOKENS_A_ROUND):
            made = self._round(site, first)
            if self.rules.generation_keeps_graph:
                alive += made
            else:
                cache = self._only_newest(cache, made, site)
        return alive + ([cache] if cache else [])

    def _only_newest(self, cache, made, site):
        """no_grad: the activations go at once, the old cache as soon as the longer one exists."""
        newest, activations = made
        self.program.drop(activations, site)
        if cache:
            self.program.drop(cache, site)
        return newest

    def _round(self, site, first):
        program, model = self.program, self.policy.model
        lengths = range(first, first + TOKENS_A_ROUND)
        if not self.rules.generation_keeps_graph:
            lengths = lengths[-1:]
        a_token = 2 * model.layers * BATCH * model.hidden * WIDTH
        forward = site.module(MODEL_PY, 92)
        cache = program.tensor(a_token * sum(lengths), "cat", forward.module(MODEL_PY, 41).call("update_cache", MODEL_PY, 28))
        activations = program.tensor(8 * a_token * len(lengths), "addmm", forward.module(MODEL_PY, 60))
        logits = program.tensor(BATCH * TOKENS_A_ROUND * model.vocab * WIDTH, "mm", site.module(MODEL_PY, 97).module(LINEAR_PY, 134))
        if not self.rules.generation_keeps_logits:
            program.drop(logits, site)
            return [cache, activations]
        return [cache, activations, logits]

    # Log-probabilities and the update --------------------------------------------------------------

    def _reference(self, site):
        """Under no_grad, but the outputs object (logits and hidden states) goes into the history."""
        place = site.module(MODEL_PY, 92).module(MODEL_PY, 64)
        for _ in range(self.policy.model.layers):
            inner = self.program.tensor(4 * self.policy.unit(), "gelu", place)
            self.history.append(self.program.tensor(self.policy.unit(), "add", place))
            self.program.drop(inner, place)
        self._score(site)

    def _score(self, site):
        """Logits, which the history keeps, and the log-probability of each token: row by row in fp32."""
        logits = self.program.tensor(LOGITS, "mm", site.module(MODEL_PY, 97).module(LINEAR_PY, 134))
        place = site.call("selective_log_softmax", TRAINER_PY, 203)
        for _ in range(BATCH):
            self.program.drop(self.program.tensor(2 * LOGITS // BATCH, "logsumexp", place), place)
        self.history.append(logits)
        return logits

    def _train(self, site):
        saved = self.policy.forward(site)
        logits = self._score(site)
        kept = {logits} | {entry.block for entry in saved if self._in_outputs(entry)}
        self.history += kept
        self.policy.backward(saved + [Saved(logits, "MmBackward0")], self.gradients, kept)
        with self.program.range("Optimizer.zero_grad#AdamW.zero_grad"):
            self.program.wait(40)   # set_to_none=False: the gradients stay allocated
        self.optimizer.step()

    def _in_outputs(self, entry):
        """past_key_values are views of the fused projection; hidden states are the residual sums."""
        units = entry.block.requested // self.policy.unit()
        return units == 3 or (entry.node == "AddBackward0" and self._last_sum(entry))

    @staticmethod
    def _last_sum(entry):
        """The second sum of a layer (its gradients are those of mlp.c_proj, the last two of twelve)."""
        return entry.parameters[-1] % 12 == 1

    def _evaluate(self, site):
        saved = self.policy.forward(site, layers=self.policy.model.layers)
        for entry in saved:
            self.program.drop(entry.block, site)
