#!/usr/bin/env python3
"""A decoder-only transformer of plain operations: rotary positions, RMSNorm, SwiGLU, attention without a fused kernel,
and an AdamW that works tensor by tensor.

The shapes and operations of public recordings of this kind of model (samples/README.md; PyTorch 2.11.0):

    transformer_steps.py --pattern forward OUT                                        small-model-with-segments
    transformer_steps.py --pattern training --size medium --context 256 OUT           gpt-medium-ctx256-training
    transformer_steps.py --pattern training --size medium --context 1024 --bf16 OUT   gpt-medium-ctx1024-training
"""
import argparse
import math

import torch
from torch import nn

VOCABULARY = 10_000
BATCH = 4
WARM_UP = 5
SIZES = {"small": (768, 3072, 12, 12), "medium": (1024, 4096, 24, 16)}  # width, inner width, layers, heads


class Linear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))

    def forward(self, x):
        return torch.einsum("...i,oi->...o", x, self.weight)


class Embedding(nn.Module):
    def __init__(self, count, width):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(count, width))

    def forward(self, ids):
        return self.weight[ids, :]


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        dtype = x.dtype
        x = x.to(torch.float32)
        scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)
        x = x * scale
        return (self.weight * x).to(dtype)


class Rotary(nn.Module):
    def __init__(self, context, width):
        super().__init__()
        angles = torch.outer(torch.arange(context), torch.tensor(10_000.0) ** -(torch.arange(0, width, 2) / width))
        self.register_buffer("table", torch.stack((torch.cos(angles), torch.sin(angles))), persistent=False)

    def forward(self, x):
        first, second = x.unflatten(-1, (-1, 2)).movedim(-1, 0).unbind(0)
        cosine, sine = self.table[:, : x.size(-2), :].unbind(0)
        turned_first = cosine * first - sine * second
        turned_second = sine * first + cosine * second
        return torch.concat((turned_first, turned_second), dim=-1)


def softmax(x):
    shifted = x - torch.max(x, dim=-1, keepdim=True)[0]
    exponentials = torch.exp(shifted)
    return exponentials / torch.sum(exponentials, dim=-1, keepdim=True)


def attend(query, key, value, mask):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / math.sqrt(key.shape[-1])
    scores = torch.where(mask, scores, float("-inf"))
    weights = softmax(scores)
    return torch.einsum("...qk,...kd->...qd", weights, value)


class Attention(nn.Module):
    def __init__(self, width, heads, rotary):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (Linear(width, width) for _ in range(4))
        self.rotary = rotary

    def forward(self, x):
        length = x.size(1)
        query, key, value = self.query(x), self.key(x), self.value(x)
        query, key, value = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (query, key, value))
        query = self.rotary(query)
        key = self.rotary(key)
        positions = torch.arange(length, device=x.device)
        rows, columns = positions[:, None], positions[None, :]
        mask = rows >= columns
        mask = mask[None, ...]
        attended = attend(query, key, value, mask)
        attended = attended.transpose(1, 2).reshape(x.size(0), length, -1)
        return self.output(attended)


class SwiGLU(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.gate, self.down, self.up = Linear(width, inner), Linear(inner, width), Linear(width, inner)

    @staticmethod
    def silu(x):
        return x * torch.sigmoid(x)

    def forward(self, x):
        return self.down(self.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    def __init__(self, width, inner, heads, rotary):
        super().__init__()
        self.attention = Attention(width, heads, rotary)
        self.feed_forward = SwiGLU(width, inner)
        self.norm1, self.norm2 = RMSNorm(width), RMSNorm(width)

    def forward(self, x):
        attended = self.attention(self.norm1(x))
        between = x + attended
        changed = self.feed_forward(self.norm2(between))
        return between + changed


class Transformer(nn.Module):
    def __init__(self, context, width, inner, layers, heads):
        super().__init__()
        self.embedding = Embedding(VOCABULARY, width)
        self.rotary = rotary = Rotary(context, width // heads)
        self.layers = nn.ModuleList([Block(width, inner, heads, rotary) for _ in range(layers)])
        self.norm = RMSNorm(width)
        self.head = Linear(width, VOCABULARY)

    def forward(self, ids):
        embedded = self.embedding(ids)
        x = embedded
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        logits = self.head(x)
        return logits


class AdamW(torch.optim.Optimizer):
    def __init__(self, parameters):
        super().__init__(parameters, {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.01})

    def step(self):
        # In one function: what a parameter's names hold lives until the next one's.
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for parameter in group["params"]:
                gradient = parameter.grad.data
                state = self.state[parameter]
                step = state.get("step", 1)
                rate = group["lr"] * (math.sqrt(1 - beta2**step) / (1 - beta1**step))
                parameter.data -= group["lr"] * group["weight_decay"] * parameter.data
                mean = state.get("mean", torch.zeros_like(gradient))
                square = state.get("square", torch.zeros_like(gradient))
                new_mean = beta1 * mean + ((1 - beta1) * gradient)
                new_square = beta2 * square + ((1 - beta2) * torch.square(gradient))
                parameter.data -= rate * new_mean / (torch.sqrt(new_square) + group["eps"])
                state["mean"], state["square"], state["step"] = new_mean, new_square, step + 1


def cross_entropy(logits, targets):
    def log_softmax(x):
        largest = torch.max(x, dim=-1, keepdim=True)[0]
        x = x - largest
        return x - torch.log(torch.sum(torch.exp(x), dim=-1, keepdim=True))

    negative = -log_softmax(logits)
    return torch.mean(torch.gather(negative, -1, targets.unsqueeze(-1)))


def random_ids(*shape):
    return torch.randint(0, VOCABULARY, shape, device="cuda")


def forward_steps(model, context, out):
    ids = random_ids(BATCH, context)
    torch.cuda.memory._record_memory_history(max_entries=1_000_000)
    for _ in range(WARM_UP):
        with torch.no_grad():
            model(ids)
        torch.cuda.synchronize()
    torch.cuda.memory._dump_snapshot(out)


def training_step(model, context, bf16, out):
    optimizer = AdamW(model.parameters())
    warm_up_ids, ids, warm_up_targets, targets = (random_ids(count, BATCH, context) for count in (WARM_UP, 1, WARM_UP, 1))
    for i in range(WARM_UP):
        with torch.autocast("cuda", torch.bfloat16, enabled=bf16):
            output = model(warm_up_ids[i])
            loss = cross_entropy(output, warm_up_targets[i])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    torch.cuda.synchronize()
    del output, loss
    torch.cuda.memory._record_memory_history(max_entries=1_000_000)
    with torch.autocast("cuda", torch.bfloat16, enabled=bf16):
        output = model(ids[0])
        loss = cross_entropy(output, targets[0])
    loss.backward()
    optimizer.step()
    torch.cuda.synchronize()
    torch.cuda.memory._dump_snapshot(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", choices=["forward", "training"], default="training")
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--context", type=int, default=512)
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("out")
    options = parser.parse_args()
    model = Transformer(options.context, *SIZES[options.size]).to("cuda")
    if options.pattern == "forward":
        forward_steps(model, options.context, options.out)
    else:
        training_step(model, options.context, options.bf16, options.out)


if __name__ == "__main__":
    main()
