"""Models take turns on the GPU: a teacher labels data and goes to the host with .cpu(), then the student trains, its optimizer state moves as well."""
import torch
from torch import nn


class Conformerish(nn.Module):
    def __init__(self, d, n, out):
        super().__init__()
        self.sub = nn.Sequential(nn.Conv1d(80, d, 3, 2, 1), nn.GELU(), nn.Conv1d(d, d, 3, 2, 1), nn.GELU())
        self.att = nn.ModuleList(nn.MultiheadAttention(d, 8, batch_first=True) for _ in range(n))
        self.ff = nn.ModuleList(nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.SiLU(), nn.Linear(4 * d, d)) for _ in range(n))
        self.dw = nn.ModuleList(nn.Conv1d(d, d, 15, padding=7, groups=d) for _ in range(n))
        self.out = nn.Linear(d, out)

    def forward(self, mel):
        x = self.sub(mel).transpose(1, 2)
        for a, f, c in zip(self.att, self.ff, self.dw):
            x = x + 0.5 * f(x)
            x = x + a(x, x, x, need_weights=False)[0]
            x = x + c(x.transpose(1, 2)).transpose(1, 2)
        return self.out(x)


def optimizer_to(optim, device):
    for st in optim.state.values():
        for k, v in st.items():
            if isinstance(v, torch.Tensor) and k != "step":
                st[k] = v.to(device)


teacher, student = Conformerish(640, 5, 2000), Conformerish(384, 4, 2000)
opt = torch.optim.AdamW(student.parameters(), 1e-3)
for rnd in range(3):
    teacher.cuda().eval()
    pseudo = []
    for _ in range(3):
        mel = torch.randn(8, 80, 800, device="cuda")
        with torch.no_grad():
            pseudo.append((mel, teacher(mel).argmax(-1)))
    teacher.cpu()
    torch.cuda.empty_cache()
    student.cuda().train()
    optimizer_to(opt, "cuda")
    for mel, lab in pseudo:
        opt.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(student(mel).flatten(0, 1), lab.flatten())
        loss.backward()
        opt.step()
    opt.zero_grad(set_to_none=True)
    optimizer_to(opt, "cpu")
    student.cpu()
