"""Batches are copied on a side stream, record_stream"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

model = nn.Sequential(nn.Linear(4096, 8192), nn.GELU(), nn.Linear(8192, 4096)).cuda(); opt = torch.optim.Adam(model.parameters()); side = torch.cuda.Stream()
def load():
    with torch.cuda.stream(side): return torch.randn(8192, 4096).pin_memory().cuda(non_blocking=True)
nxt = load()
for _ in range(6):
    torch.cuda.current_stream().wait_stream(side); x = nxt; x.record_stream(torch.cuda.current_stream()); nxt = load()
    loss = model(x).square().mean(); opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
