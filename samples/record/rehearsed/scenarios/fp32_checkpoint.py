"""Fine-tunes in bf16 from a checkpoint in fp32 that was read onto the GPU and stays there: a variable keeps it for its step number."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(d), nn.Linear(d, 3 * d), nn.Linear(3 * d, d)
        self.register_buffer("place", torch.randn(1, 64, d), persistent=False)

    def forward(self, x):
        return x + self.down(nn.functional.silu(self.up(self.norm(x + self.place))))


def build():
    return nn.Sequential(nn.Linear(96, 480), *[Block(480) for _ in range(5)], nn.Linear(480, 96))


torch.save({"model": build().state_dict(), "step": 4000}, "checkpoint.pt")
checkpoint = torch.load("checkpoint.pt", map_location="cuda")
model = build().to("cuda")
model.load_state_dict(checkpoint["model"])
model = model.to(torch.bfloat16)
optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
for step in range(checkpoint["step"], checkpoint["step"] + 5):
    x = torch.randn(48, 64, 96).to("cuda", torch.bfloat16)
    optimizer.zero_grad()
    loss = (model(x) - x).float().square().mean()
    loss.backward()
    optimizer.step()
