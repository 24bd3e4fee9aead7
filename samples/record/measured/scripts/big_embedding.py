"""Recommender: large tables, sparse gradients with SparseAdam, dense part with Adagrad"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

tables = nn.ModuleList(nn.EmbeddingBag(2_000_000, 64, sparse=True, mode="sum") for _ in range(3)).cuda()
dense = nn.Embedding(500_000, 128).cuda()
mlp = nn.Sequential(nn.Linear(3 * 64 + 128, 1024), nn.ReLU(), nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, 1)).cuda()
sparse, rest = torch.optim.SparseAdam(tables.parameters()), torch.optim.Adagrad([*dense.parameters(), *mlp.parameters()])
for step in range(4):
    parts = [t(torch.randint(0, 2_000_000, (8192, 20), device="cuda")) for t in tables] + [dense(torch.randint(0, 500_000, (8192,), device="cuda"))]
    loss = F.binary_cross_entropy_with_logits(mlp(torch.cat(parts, 1)).squeeze(1), torch.rand(8192, device="cuda"))
    sparse.zero_grad(); rest.zero_grad(); loss.backward(); sparse.step(); rest.step(); print(step, loss.item())
