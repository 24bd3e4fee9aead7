"""Acoustic model with CTC and SpecAugment; bf16 autocast, accumulation over two, gradient checkpointing of each block, an EMA of torch._foreach."""
import sys

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class ConformerBlock(nn.Module):
    def __init__(self, d=512, k=15):
        super().__init__()
        ff = lambda: nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.SiLU(), nn.Linear(4 * d, d))
        self.ff1, self.ff2 = ff(), ff()
        self.norm, self.attn = nn.LayerNorm(d), nn.MultiheadAttention(d, 8, batch_first=True)
        self.conv = nn.Sequential(nn.Conv1d(d, 2 * d, 1), nn.GLU(1), nn.Conv1d(d, d, k, padding=k // 2, groups=d), nn.BatchNorm1d(d), nn.SiLU(), nn.Conv1d(d, d, 1))
        self.out = nn.LayerNorm(d)

    def forward(self, x):
        x = x + 0.5 * self.ff1(x)
        n = self.norm(x)
        x = x + self.attn(n, n, n, need_weights=False)[0]
        x = x + self.conv(x.transpose(1, 2)).transpose(1, 2)
        return self.out(x + 0.5 * self.ff2(x))


class ASR(nn.Module):
    def __init__(self, blocks=4, vocab=1000, d=512):
        super().__init__()
        self.sub = nn.Sequential(nn.Conv1d(80, d, 3, 2, 1), nn.ReLU(), nn.Conv1d(d, d, 3, 2, 1), nn.ReLU())
        self.blocks = nn.ModuleList(ConformerBlock(d) for _ in range(blocks))
        self.ctc = nn.Linear(d, vocab)

    def forward(self, mel):
        x = self.sub(mel).transpose(1, 2)
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False)
        return self.ctc(x)


def main():
    net = ASR().cuda().train()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3, betas=(0.9, 0.98))
    average = [p.detach().clone() for p in net.parameters()]
    hw = sys.modules.get("highwater_labels")
    if hw:
        hw.mark(average, "parameter")
    for step in range(3):
        for micro in range(2):
            mel = torch.randn(8, 80, 800).cuda()
            mel[:, 20:30] = 0
            with torch.autocast("cuda", torch.bfloat16):
                logits = net(mel)
            logp = logits.float().log_softmax(-1).transpose(0, 1)
            loss = nn.functional.ctc_loss(logp, torch.randint(1, 1000, (8, 30)).cuda(), torch.full((8,), logp.size(0)), torch.full((8,), 30)) \
                if not torch.backends.cudnn.enabled else -logp[..., :30].mean()
            (loss / 2).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        opt.zero_grad()
        with torch.no_grad():
            torch._foreach_lerp_(average, list(net.parameters()), 0.01)


main()
