"""nn.TransformerEncoder with a padding mask: training, then evaluation (fast path)"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
model = nn.TransformerEncoder(nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True), 6).cuda(); head = nn.Linear(512, 2).cuda()
opt = torch.optim.AdamW([*model.parameters(), *head.parameters()])
def batch():
    n = torch.randint(30, 257, (32,)); n[0] = 256
    return torch.randn(32, 256, 512).cuda(), (torch.arange(256)[None] >= n[:, None]).cuda(), torch.randint(0, 2, (32,)).cuda()
for _ in range(3):
    x, pad, y = batch(); loss = F.cross_entropy(head(model(x, src_key_padding_mask=pad).mean(1)), y); opt.zero_grad(); loss.backward(); opt.step()
model.eval()
with torch.no_grad(): x, pad, y = batch(); print(head(model(x, src_key_padding_mask=pad).mean(1)).argmax(1).sum().item())
