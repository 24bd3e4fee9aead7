"""All weights are views of one flat buffer, all gradients of another (main_grad in fp32, bf16 weights), as Megatron does."""
import sys

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")
net = nn.Sequential(nn.Embedding(12000, 640), nn.Linear(640, 2560), nn.ReLU(), nn.Linear(2560, 640), nn.LayerNorm(640), nn.Linear(640, 12000))
net = net.to("cuda", torch.bfloat16)
weights = list(net.parameters())
total = sum(w.numel() for w in weights)

param_buffer = torch.empty(total, dtype=torch.bfloat16, device="cuda")
grad_buffer = torch.zeros(total, dtype=torch.float32, device="cuda")
start = 0
for w in weights:
    view = param_buffer[start:start + w.numel()].view_as(w)
    view.copy_(w.data)
    w.data = view
    w.main_grad = grad_buffer[start:start + w.numel()].view_as(w)
    start += w.numel()
main_param = param_buffer.float()
exp_avg, exp_avg_sq = torch.zeros_like(main_param), torch.zeros_like(main_param)
if hw:
    hw.mark(grad_buffer, "gradient")
    hw.mark([main_param, exp_avg, exp_avg_sq], "optimizer_state")


def accumulate(w):
    w.main_grad.add_(w.grad)
    w.grad = None


for w in weights:
    w.register_post_accumulate_grad_hook(accumulate)


def adam_step(t, lr=1e-4):
    exp_avg.lerp_(grad_buffer, 0.1)
    exp_avg_sq.mul_(0.95).addcmul_(grad_buffer, grad_buffer, value=0.05)
    main_param.addcdiv_(exp_avg, exp_avg_sq.sqrt().add_(1e-8), value=-lr)
    param_buffer.copy_(main_param)


for t in range(1, 5):
    if hw:
        hw.step()
    grad_buffer.zero_()
    for micro in range(2):
        ids = torch.randint(12000, (8, 129), device="cuda")
        loss = nn.functional.cross_entropy(net(ids[:, :-1]).float().flatten(0, 1), ids[:, 1:].flatten())
        (loss / 2).backward()
    if hw:
        hw.phase("optimizer")
    adam_step(t)
    if hw:
        hw.phase("between")
