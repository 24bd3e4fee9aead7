"""A recurrent cell written by hand, truncated backpropagation with carried states, mean teacher by load_state_dict of a mixed dict, evolution of a threshold without backward."""
import torch
from torch import nn

torch.manual_seed(0)


class MGU(nn.Module):
    def __init__(self, i, h):
        super().__init__()
        self.wf, self.wh = nn.Linear(i + h, h), nn.Linear(i + h, h)

    def forward(self, x, h):
        f = torch.sigmoid(self.wf(torch.cat((x, h), 1)))
        return (1 - f) * h + f * torch.tanh(self.wh(torch.cat((x, f * h), 1)))


class CharLM(nn.Module):
    def __init__(self, v=256, e=256, h=1536, n=2):
        super().__init__()
        self.e, self.cells, self.o = nn.Embedding(v, e), nn.ModuleList(MGU(e if k == 0 else h, h) for k in range(n)), nn.Linear(h, v)
        self.h = h

    def zero_state(self, b, dev):
        return [torch.zeros(b, self.h, device=dev) for _ in self.cells]

    def forward(self, ids, hs):
        outs, hs = [], list(hs)
        for t in range(ids.size(1)):
            x = self.e(ids[:, t])
            for k, c in enumerate(self.cells):
                hs[k] = x = c(x, hs[k])
            outs.append(self.o(x))
        return torch.stack(outs, 1), hs


def mix(student, teacher, a):
    s, t = student.state_dict(), teacher.state_dict()
    teacher.load_state_dict({k: a * t[k] + (1 - a) * s[k] for k in t})


student, teacher = CharLM().cuda(), CharLM().cuda()
teacher.load_state_dict(student.state_dict())
opt = torch.optim.NAdam(student.parameters(), 2e-3)
text = torch.randint(0, 256, (32, 6 * 24 + 1), dtype=torch.uint8).cuda()
hs, ht = student.zero_state(32, "cuda"), teacher.zero_state(32, "cuda")
for s in range(0, 6 * 24, 24):
    x, y = text[:, s:s + 24].long(), text[:, s + 1:s + 25].long()
    hs = [h.detach() for h in hs]
    lo, hs = student(x, hs)
    with torch.no_grad():
        lt, ht = teacher(x, ht)
    loss = nn.functional.cross_entropy(lo.flatten(0, 1), y.flatten()) + (lo.softmax(-1) - lt.softmax(-1)).square().mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(student.parameters(), 0.25)
    opt.step()
    mix(student, teacher, 0.99)
