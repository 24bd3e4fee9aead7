"""Attention alone, forward and backward: sdpa.py default|flash|efficient|math|cudnn [mask] [gqa]"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

import sys, contextlib
from torch.nn.attention import sdpa_kernel, SDPBackend
kinds = dict(flash=SDPBackend.FLASH_ATTENTION, efficient=SDPBackend.EFFICIENT_ATTENTION, math=SDPBackend.MATH, cudnn=SDPBackend.CUDNN_ATTENTION)
kind = sys.argv[1]; kv = 4 if "gqa" in sys.argv else 16
q = torch.randn(4, 16, 2048, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True)
k, v = (torch.randn(4, kv, 2048, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(2))
mask = torch.ones(2048, 2048, device="cuda", dtype=torch.bool).tril() if "mask" in sys.argv else None
for _ in range(3):
    with sdpa_kernel(kinds[kind]) if kind in kinds else contextlib.nullcontext():
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None, enable_gqa=kv != 16)
    print(y.grad_fn.name()); y.square().mean().backward(); q.grad = k.grad = v.grad = None
