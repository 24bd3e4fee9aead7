"""Parameter lists of real architectures: name and element count of each tensor, in load order."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Gpt:
    layers: int
    hidden: int
    vocab: int
    positions: int

    def layer_parameters(self):
        h = self.hidden
        return [("ln_1.weight", h), ("ln_1.bias", h), ("attn.c_attn.weight", 3 * h * h), ("attn.c_attn.bias", 3 * h),
                ("attn.c_proj.weight", h * h), ("attn.c_proj.bias", h), ("ln_2.weight", h), ("ln_2.bias", h),
                ("mlp.c_fc.weight", 4 * h * h), ("mlp.c_fc.bias", 4 * h),
                ("mlp.c_proj.weight", 4 * h * h), ("mlp.c_proj.bias", h)]

    def parameters(self):
        """The output projection is tied to wte, so it is not a tensor of its own."""
        h = self.hidden
        inner = [row for _ in range(self.layers) for row in self.layer_parameters()]
        return [("wte", self.vocab * h), ("wpe", self.positions * h)] + inner + [("ln_f.weight", h), ("ln_f.bias", h)]


@dataclass(frozen=True)
class T5:
    layers: int
    hidden: int
    feed_forward: int
    vocab: int
    heads: int

    def _attention(self, prefix):
        return [(f"{prefix}.{name}", self.hidden * self.hidden) for name in "qkvo"] + [(f"{prefix}.ln", self.hidden)]

    def _gated_feed_forward(self):
        size = self.hidden * self.feed_forward
        return [("wi_0", size), ("wi_1", size), ("wo", size), ("ff.ln", self.hidden)]

    def encoder_layer(self):
        return self._attention("self") + self._gated_feed_forward()

    def decoder_layer(self):
        return self._attention("self") + self._attention("cross") + self._gated_feed_forward()

    def parameters(self):
        """FLAN-T5 does not tie lm_head to the embedding; each stack has one relative-position table."""
        stack = [("relative", 32 * self.heads)]
        encoder = [row for _ in range(self.layers) for row in self.encoder_layer()]
        decoder = [row for _ in range(self.layers) for row in self.decoder_layer()]
        norm = [("final.ln", self.hidden)]
        head = [("lm_head", self.vocab * self.hidden)]
        return [("shared", self.vocab * self.hidden)] + encoder + stack + norm + decoder + stack + norm + head


GPT2_SMALL = Gpt(layers=12, hidden=768, vocab=50257, positions=1024)          # 124,439,808
TINY_GPT = Gpt(layers=4, hidden=256, vocab=8192, positions=256)
FLAN_T5_XL = T5(layers=24, hidden=2048, feed_forward=5120, vocab=32128, heads=32)  # 2,849,757,184


def count(model):
    return sum(elements for _, elements in model.parameters())
