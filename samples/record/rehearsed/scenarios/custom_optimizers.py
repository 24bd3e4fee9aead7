"""Optimizers written by hand as subclasses of torch.optim.Optimizer, on a small encoder classifier."""
import sys

import torch
from torch import nn


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), wd=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, wd=wd))

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if len(st) == 0:
                    st["exp_avg"] = torch.zeros_like(p)
                m, (b1, b2) = st["exp_avg"], g["betas"]
                p.mul_(1 - g["lr"] * g["wd"])
                p.add_(m.mul(b1).add(p.grad, alpha=1 - b1).sign_(), alpha=-g["lr"])
                m.mul_(b2).add_(p.grad, alpha=1 - b2)


def newton_schulz(G, steps=3):
    X = G.bfloat16() / (G.norm() + 1e-7)
    transposed = X.size(0) > X.size(1)
    X = X.T if transposed else X
    for _ in range(steps):
        A = X @ X.T
        B = -4.775 * A + 2.0315 * A @ A
        X = 3.4445 * X + B @ X
    return X.T if transposed else X


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.95):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                g = p.grad
                state = self.state[p]
                if "momentum_buffer" not in state:
                    state["momentum_buffer"] = torch.zeros_like(g)
                buf = state["momentum_buffer"]
                buf.lerp_(g, 1 - group["momentum"])
                u = newton_schulz(g.lerp_(buf, group["momentum"]))
                p.add_(u.to(p.dtype), alpha=-group["lr"])


class MasterAdamW(torch.optim.Optimizer):
    """bf16 weights; a 32-bit copy and both moments in the state."""

    def __init__(self, params, lr=1e-3):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                s = self.state[p]
                if not s:
                    s["step"] = 0
                    s["master"] = p.detach().float().clone()
                    s["moments"] = (torch.zeros_like(s["master"]), torch.zeros_like(s["master"]))
                s["step"] += 1
                m, v = s["moments"]
                grad = p.grad.float()
                m.lerp_(grad, 0.1)
                v.mul_(0.99).addcmul_(grad, grad, value=0.01)
                s["master"].addcdiv_(m, v.sqrt().add_(1e-8), value=-group["lr"])
                p.copy_(s["master"])


class ByteAdam(torch.optim.Optimizer):
    """Moments as uint8 with one scale for 256 values."""

    def __init__(self, params, lr=1e-3):
        super().__init__(params, dict(lr=lr))

    @staticmethod
    def unpack(code, scale):
        return (code.view(-1, 256).float() * scale[:, None]).view(-1)

    @staticmethod
    def pack(value, code, scale):
        blocks = value.view(-1, 256)
        torch.amax(blocks.abs(), 1, out=scale).div_(127)
        code.view(-1, 256).copy_((blocks / scale[:, None]).round_())

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                n = p.numel()
                if n % 256:
                    continue
                s = self.state[p]
                if not s:
                    for k in ("m", "v"):
                        s[k] = torch.zeros(n, dtype=torch.uint8, device=p.device)
                        s[k + "_scale"] = torch.ones(n // 256, device=p.device)
                g = p.grad.view(-1)
                m = self.unpack(s["m"], s["m_scale"]).lerp_(g, 0.1)
                v = self.unpack(s["v"], s["v_scale"]).mul_(0.999).addcmul_(g, g, value=0.001)
                p.view(-1).addcdiv_(m, v.sqrt().add_(1e-8), value=-group["lr"])
                self.pack(m, s["m"], s["m_scale"])
                self.pack(v, s["v"], s["v_scale"])


class Classifier(nn.Module):
    def __init__(self, dim=768, depth=3):
        super().__init__()
        self.embed = nn.Embedding(6000, dim)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(dim, 12, 4 * dim, batch_first=True, norm_first=True), depth,
                                             enable_nested_tensor=False)
        self.cls = nn.Linear(dim, 16)

    def forward(self, tokens):
        return self.cls(self.encoder(self.embed(tokens)).mean(1))


def build(kind, model):
    if kind == "muon":
        matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n]
        others = [p for n, p in model.named_parameters() if p.ndim != 2 or "embed" in n]
        return [Muon(matrices), torch.optim.AdamW(others, lr=1e-3)]
    return [{"lion": Lion, "master": MasterAdamW, "byte": ByteAdam}[kind](model.parameters())]


def main(kind):
    model = Classifier().cuda()
    if kind == "master":
        model.bfloat16()
    optims = build(kind, model)
    for _ in range(4):
        tokens, y = torch.randint(6000, (16, 128)).cuda(), torch.randint(16, (16,)).cuda()
        loss = nn.functional.cross_entropy(model(tokens).float(), y)
        loss.backward()
        for o in optims:
            o.step()
        for o in optims:
            o.zero_grad()


main(sys.argv[1])
