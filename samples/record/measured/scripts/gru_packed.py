"""Bidirectional GRU on packed sequences (cuDNN), Adam"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

import random; random.seed(0)
emb, rnn, head = nn.Embedding(5000, 256).cuda(), nn.GRU(256, 512, bidirectional=True, batch_first=True).cuda(), nn.Linear(1024, 2).cuda()
opt = torch.optim.Adam([*emb.parameters(), *rnn.parameters(), *head.parameters()])
for _ in range(4):
    n = sorted((random.randint(10, 200) for _ in range(64)), reverse=True)
    x = nn.utils.rnn.pack_padded_sequence(emb(torch.randint(0, 5000, (64, n[0]), device="cuda")), n, batch_first=True)
    _, h = rnn(x); loss = F.cross_entropy(head(h.transpose(0, 1).flatten(1)), torch.randint(0, 2, (64,), device="cuda"))
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
