"""Whole training step captured in a CUDA graph, replayed"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

model = nn.Sequential(nn.Linear(2048, 4096), nn.ReLU(), nn.Linear(4096, 2048)).cuda(); opt = torch.optim.Adam(model.parameters(), capturable=True)
x, y = torch.randn(512, 2048, device="cuda"), torch.randn(512, 2048, device="cuda"); s = torch.cuda.Stream(); s.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(s):
    for _ in range(3): opt.zero_grad(set_to_none=True); F.mse_loss(model(x), y).backward(); opt.step()
torch.cuda.current_stream().wait_stream(s); g = torch.cuda.CUDAGraph(); opt.zero_grad(set_to_none=True)
with torch.cuda.graph(g): loss = F.mse_loss(model(x), y); loss.backward(); opt.step()
for _ in range(5): x.copy_(torch.randn(512, 2048)); g.replay()
print(loss.item())
