"""Forward and backward of one module, as Liger-Kernel's benchmarks run their reference: modules.py KERNEL SIZE,SIZE.

The peak is that of a later repetition: gradients of the one before are alive. Both the reference and Liger's module
were built for every measurement, so parameters that only the other would use count as well.
"""
import sys

import torch
from torch import nn
from torch.nn import functional

from measured import fresh, steady

BF16 = torch.bfloat16


def leaf(*shape, dtype=torch.float32):
    return torch.randn(*shape, dtype=dtype, device="cuda", requires_grad=True)


def classes(count, rows):
    return torch.randint(count, (rows, 1), device="cuda").squeeze(1)


def backward_of(forward, gradient):
    return lambda: forward().backward(gradient, retain_graph=True)


def cross_entropy(vocabulary, rows=8 * 2048):
    logits, target = leaf(rows, vocabulary), classes(vocabulary, rows)
    return lambda: functional.cross_entropy(logits, target).backward()


def linear_cross_entropy(rows, width=4096, vocabulary=128256, other=True):
    head = nn.Linear(width, vocabulary, bias=False, dtype=BF16).cuda()
    idle = nn.Linear(width, vocabulary, bias=False, dtype=BF16).cuda() if other else None
    hidden, target = leaf(rows, width, dtype=BF16), classes(vocabulary, rows)

    def step():
        functional.cross_entropy(head(hidden), target).backward()
        return idle  # It stays alive as long as the step.
    return step


def linear_cross_entropy_alone(rows):
    return linear_cross_entropy(rows, other=False)


class GatedMlp(nn.Module):
    def __init__(self, activation, width=4096, inner=11008):
        super().__init__()
        self.activation = activation
        self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x):
        return self.down(self.activation(self.gate(x)) * self.up(x))


def gated(activation, batch, length):
    x, layer = leaf(batch, length, 4096, dtype=BF16), GatedMlp(activation).cuda().to(BF16)

    def step():
        y = layer(x)
        y.backward(torch.randn_like(y), retain_graph=True)
    return step


def geglu(length):
    return gated(nn.GELU(approximate="tanh"), 8, length)


def swiglu(length):
    return gated(nn.SiLU(), 4, length)


def normalized(module, other, shape, dtype):
    x = torch.randn(shape, dtype=dtype, device="cuda")
    gradient = torch.randn_like(x)
    x.requires_grad_(True)
    step = backward_of(lambda: module(x), gradient)
    return lambda: (step(), other)


def layer_norm(width):
    return normalized(nn.LayerNorm(width).cuda(), nn.LayerNorm(width).cuda(), (4096, width), torch.float32)


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        wide = x.to(torch.float32)
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * wide.to(x.dtype)


def rms_norm(width):
    return normalized(RmsNorm(width).cuda(), RmsNorm(width).cuda(), (2048, width), BF16)


def embedding(vocabulary, batch, length, width):
    table, idle = nn.Embedding(vocabulary, width).cuda(), nn.Embedding(vocabulary, width).cuda()
    ids = torch.randint(0, vocabulary, (batch, length), device="cuda")

    def step():
        y = table(ids)
        y.backward(torch.randn_like(y))
        return idle
    return step


def embedding_bert(vocabulary):
    return embedding(vocabulary, 32, 512, 768)


def embedding_llama(vocabulary):
    return embedding(vocabulary, 8, 2048, 4096)


def turned(x):
    half = x.shape[-1] // 2
    first, second = x[..., :half], x[..., half:]  # Their order decides that of the backward, and so its peak.
    return torch.cat((-second, first), dim=-1)


def rope(width, length):
    size = width // 32
    q, k = (leaf(1, length, heads, size, dtype=BF16).transpose(1, 2) for heads in (32, 8))
    gradients = torch.randn_like(q), torch.randn_like(k)
    positions = torch.arange(length, device="cuda").unsqueeze(0)
    frequencies = 1.0 / 10000 ** (torch.arange(0, size, 2, device="cuda").float() / size)
    angles = (frequencies[None, :, None] @ positions[:, None, :].float()).transpose(1, 2)
    angles = torch.cat((angles, angles), dim=-1)
    cos, sin = angles.cos().to(BF16), angles.sin().to(BF16)
    del angles

    def step():
        c, s = cos.unsqueeze(1), sin.unsqueeze(1)
        outputs = (q * c) + (turned(q) * s), (k * c) + (turned(k) * s)
        torch.autograd.grad(outputs, (q, k), gradients, allow_unused=True, retain_graph=True)
        return positions, frequencies
    return step


def rope_hidden(width):
    return rope(width, 2048)


def rope_length(length):
    return rope(8192, length)


def kl_div(vocabulary):
    logs = leaf(8 * 2048, vocabulary).log_softmax(-1)
    target = torch.randn(8 * 2048, vocabulary, device="cuda").softmax(-1)
    loss = nn.KLDivLoss(reduction="batchmean")
    return lambda: loss(logs, target).backward(retain_graph=True)


def jsd(vocabulary):
    p, q = leaf(4 * 2048, vocabulary).log_softmax(-1), torch.randn(4 * 2048, vocabulary, device="cuda").log_softmax(-1)
    divergence = nn.KLDivLoss(reduction="batchmean", log_target=True)

    def step():
        middle = torch.lerp(torch.exp(q), torch.exp(p), 0.5)
        loss = 0.5 * divergence(torch.log(middle), q) + 0.5 * divergence(torch.log(middle), p)
        loss.backward(retain_graph=True)
    return step


def linear_jsd(rows, width=4096, vocabulary=128256):
    student, teacher = (nn.Linear(width, vocabulary, bias=False, dtype=BF16).cuda() for _ in range(2))
    x, y = (torch.rand(rows, width, dtype=BF16, device="cuda") for _ in range(2))
    x.requires_grad_(True)
    divergence = nn.KLDivLoss(reduction="batchmean", log_target=True)

    def loss(q, p):
        p, q = p.float(), q.float()
        middle = torch.lerp(torch.exp(p), torch.exp(q), 0.5)
        return (0.5 * divergence(torch.log(middle), p) + 0.5 * divergence(torch.log(middle), q)).to(BF16)

    def forward():
        a, b = student(x), teacher(y)
        p, q = torch.log_softmax(a / 1.0, dim=-1), torch.log_softmax(b / 1.0, dim=-1)
        return loss(p, q)
    return lambda: forward().backward()


def group_norm(channels):
    module, other = (nn.GroupNorm(channels // 4, channels, eps=1e-6).cuda() for _ in range(2))
    return normalized(module, other, (128, channels, 512), torch.float32)


def main():
    kernel = globals()[sys.argv[1]]
    for size in map(int, sys.argv[2].split(",")):
        step = kernel(size)
        steady(str(size), step)
        del step
        fresh()


if __name__ == "__main__":
    main()
