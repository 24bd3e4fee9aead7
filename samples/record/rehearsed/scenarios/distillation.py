# A teacher that is only evaluated, a student that learns; momentum teacher (`momentum`) as in self-distillation.
import copy, sys
import torch
from torch import nn
from torch.nn.functional import kl_div, log_softmax, softmax

def mlp_mixer(d, n):
    return nn.Sequential(nn.Linear(1024, d), *[nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d)) for _ in range(n)], nn.Linear(d, 4096))

momentum = sys.argv[1:] == ["momentum"]
student = mlp_mixer(512, 3).cuda()
teacher = copy.deepcopy(student) if momentum else mlp_mixer(1024, 4).cuda()
teacher.eval()
for p in teacher.parameters(): p.requires_grad_(False)
optimizer = torch.optim.RAdam(student.parameters(), 1e-3)

def distill(batch, T=4.0):
    with torch.no_grad():
        soft = softmax(teacher(batch) / T, -1)
    return kl_div(log_softmax(student(batch) / T, -1), soft, reduction="batchmean") * T * T

for _ in range(5):
    optimizer.zero_grad()
    distill(torch.randn(512, 1024, device="cuda")).backward()
    optimizer.step()
    if momentum:
        with torch.no_grad():
            for t, s in zip(teacher.parameters(), student.parameters()):
                t.data = 0.99 * t.data + 0.01 * s.data
