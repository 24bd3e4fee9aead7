#!/usr/bin/env python3
"""Attention without a fused kernel, forward and backward, recorded from an empty device.

The shapes and operations of a public recording (from-zero-small in samples/README.md; PyTorch 2.6.0).

usage: attention_from_zero.py OUT.pickle
"""
import sys

import torch


def softmax(x):
    largest = x.max(dim=-1, keepdim=True).values
    exponentials = torch.exp(x - largest)
    return exponentials / torch.sum(exponentials, dim=-1, keepdim=True)


def attention(query, key, value):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    scores = scores / query.shape[-1] ** 0.5
    weights = softmax(scores)
    return torch.einsum("...qk,...kd->...qd", weights, value)


def main():
    torch.cuda.memory._record_memory_history(max_entries=100000)
    query, key, value = (torch.randn(8, 4096, 16, device="cuda", requires_grad=True) for _ in range(3))
    output = attention(query, key, value)
    loss = output.sum()
    loss.backward()
    torch.cuda.memory._dump_snapshot(sys.argv[1])


if __name__ == "__main__":
    main()
