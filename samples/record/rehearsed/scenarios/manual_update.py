# No torch.optim: parameters are changed by hand. `velocity` keeps one buffer per parameter, made before the loop.
import sys
import torch
import torch.nn as nn

hw = sys.modules.get("highwater_labels")
velocity = "velocity" in sys.argv
mlp = nn.Sequential(nn.Flatten(), nn.Linear(3072, 4096), nn.Tanh(), nn.Linear(4096, 2048), nn.Tanh(), nn.Linear(2048, 10)).cuda()
ws = list(mlp.parameters())
vs = [torch.zeros_like(w) for w in ws] if velocity else None
if hw and velocity:
    hw.mark(vs, "optimizer_state")

def update(lr, mu=0.9):
    with torch.no_grad():
        for i, w in enumerate(ws):
            if velocity:
                vs[i].mul_(mu).add_(w.grad)
                w.sub_(lr * vs[i])
            else:
                w -= lr * w.grad
            w.grad = None

for epoch in range(5):
    if hw:
        hw.step()
    x = torch.randn(1024, 3, 32, 32).cuda()
    y = torch.randint(10, (1024,)).cuda()
    l = nn.functional.cross_entropy(mlp(x), y)
    l.backward()
    if hw:
        hw.phase("optimizer")
    update(0.05)
    if hw:
        hw.phase("between")
