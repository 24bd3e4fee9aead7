"""Plain attention without a mask, batch 8, fp32, sizes in one process: allocated before the backward and at most."""
import itertools

import torch

from measured import fresh, printed


def attention(q, k, v):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    return torch.matmul(torch.nn.functional.softmax(scores, dim=-1), v)


def case(width, length):
    q, k, v = (torch.randn(8, length, width, device="cuda", requires_grad=True) for _ in range(3))
    for _ in range(2):
        y = attention(q, k, v)
        loss = y.sum()
        loss.backward()
        q.grad = k.grad = v.grad = None
    torch.cuda.reset_peak_memory_stats()
    for _ in range(2):
        y = attention(q, k, v)
    before = torch.cuda.memory_allocated()
    y = attention(q, k, v)
    loss = y.sum()
    for _ in range(2):
        loss.backward(retain_graph=True)
    print("MEASURED", f"{width}x{length}-before", before, 0)
    printed(f"{width}x{length}")


for sizes in itertools.product((16, 32, 64, 128), (256, 1024, 4096, 8192, 16384)):
    case(*sizes)
    fresh()
