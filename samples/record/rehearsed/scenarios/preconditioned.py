"""Optimizers whose state has other shapes than the weights (factored, shampoo, soap, galore) or other meanings (schedule_free)."""
import sys

import torch
from torch import nn


class Factored(torch.optim.Optimizer):
    """Adafactor without momentum: rows and columns of squares."""

    def __init__(self, params, lr=1e-3):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in (q for q in group["params"] if q.grad is not None):
                st, upd = self.state[p], p.grad.float() ** 2 + 1e-30
                if p.dim() >= 2:
                    if "row" not in st:
                        st["row"], st["col"] = torch.zeros_like(upd[..., 0]), torch.zeros_like(upd[0])
                    st["row"].lerp_(upd.mean(-1), 0.2)
                    st["col"].lerp_(upd.mean(0), 0.2)
                    r = (st["row"] / st["row"].mean()).rsqrt().unsqueeze(-1)
                    u = r * st["col"].rsqrt().unsqueeze(0) * p.grad
                else:
                    st.setdefault("sq", torch.zeros_like(upd)).lerp_(upd, 0.2)
                    u = p.grad * st["sq"].rsqrt()
                u /= (u.norm() / u.numel() ** 0.5).clamp_(min=1.0)
                p.add_(u, alpha=-group["lr"])


class Shampoo(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1, momentum=0.9, update_freq=2):
        super().__init__(params, dict(lr=lr, momentum=momentum, update_freq=update_freq))

    @staticmethod
    def inverse_root(m, n=4):
        y, z, eye = m / m.norm(), torch.eye(m.shape[0], device=m.device), torch.eye(m.shape[0], device=m.device)
        for _ in range(n):
            t = 0.5 * (3.0 * eye - z @ y)
            y, z = y @ t, t @ z
        return z

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad, state = p.grad.data, self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["momentum_buffer"] = grad.clone()
                    for dim_id, dim in enumerate(grad.size()):
                        if dim <= 2048:
                            state[f"precond_{dim_id}"] = 1e-4 * torch.eye(dim, out=grad.new(dim, dim))
                            state[f"inv_precond_{dim_id}"] = grad.new(dim, dim).zero_()
                grad.mul_(1 - group["momentum"]).add_(state["momentum_buffer"], alpha=group["momentum"])
                shape = grad.size()
                for dim_id, dim in enumerate(shape):
                    grad = grad.transpose(0, dim_id).contiguous().view(dim, -1) if dim_id else grad.reshape(dim, -1)
                    if f"precond_{dim_id}" in state:
                        state[f"precond_{dim_id}"].add_(grad @ grad.t())
                        if state["step"] % group["update_freq"] == 0:
                            state[f"inv_precond_{dim_id}"].copy_(self.inverse_root(state[f"precond_{dim_id}"]))
                        grad = state[f"inv_precond_{dim_id}"] @ grad
                    grad = grad.view(shape[::-1] if len(shape) == 2 and dim_id else shape)
                    grad = grad.t() if len(shape) == 2 and dim_id else grad
                state["step"] += 1
                state["momentum_buffer"] = grad.clone()
                p.data.add_(grad, alpha=-group["lr"])


class SOAP(torch.optim.Optimizer):
    def __init__(self, params, lr=3e-3, max_precond_dim=2048):
        super().__init__(params, dict(lr=lr, max_precond_dim=max_precond_dim))

    def project(self, g, Q, back=False):
        if g.ndim < 2:
            return g
        if Q[0] is not None:
            g = (Q[0] if back else Q[0].T) @ g
        return g if Q[1] is None else g @ (Q[1].T if back else Q[1])

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                g, s = p.grad, self.state[p]
                if "exp_avg" not in s:
                    s["exp_avg"], s["exp_avg_sq"] = torch.zeros_like(g), torch.zeros_like(g)
                    dims = list(g.shape) if g.ndim == 2 else []
                    s["GG"] = [torch.zeros(d, d, device=g.device) if d <= group["max_precond_dim"] else None for d in dims]
                    s["Q"] = [None if m is None else torch.eye(len(m), device=g.device) for m in s["GG"]]
                s["exp_avg"].lerp_(g, 0.05)
                gp = self.project(g, s["Q"])
                s["exp_avg_sq"].mul_(0.95).add_(gp.square(), alpha=0.05)
                denom = s["exp_avg_sq"].sqrt().add_(1e-8)
                u = self.project(self.project(s["exp_avg"], s["Q"]) / denom, s["Q"], back=True)
                p.add_(u, alpha=-group["lr"])
                for i, m in enumerate(s["GG"]):
                    if m is None:
                        continue
                    m.lerp_(g @ g.T if i == 0 else g.T @ g, 0.05)
                    q = m @ s["Q"][i]
                    s["Q"][i] = q / q.norm(dim=0, keepdim=True)


class GaLore(torch.optim.Optimizer):
    """Adam in a space of low rank."""

    def __init__(self, params, lr=1e-2, rank=64, gap=3):
        super().__init__(params, dict(lr=lr, rank=rank, gap=gap))

    def orthogonal(self, full, rank):
        b = full @ torch.randn(full.shape[1], rank, device=full.device)
        return b / b.norm(dim=0)

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                grad, state = p.grad, self.state[p]
                state["step"] = state.get("step", -1) + 1
                low = p.ndim == 2 and min(p.shape) > group["rank"]
                if low:
                    if state["step"] % group["gap"] == 0:
                        state["ortho"] = self.orthogonal(grad, group["rank"])
                    grad = state["ortho"].t() @ grad
                if "exp_avg" not in state:
                    state["exp_avg"], state["exp_avg_sq"] = torch.zeros_like(grad), torch.zeros_like(grad)
                state["exp_avg"].mul_(0.9).add_(grad, alpha=0.1)
                state["exp_avg_sq"].mul_(0.999).addcmul_(grad, grad, value=0.001)
                norm = state["exp_avg"] / state["exp_avg_sq"].sqrt().add_(1e-6)
                p.add_(state["ortho"] @ norm if low else norm, alpha=-group["lr"])


class ScheduleFree(torch.optim.Optimizer):
    """The parameter is y; z is kept in the state, x is worked out when asked for."""

    def __init__(self, params, lr=2.5e-3, beta=0.9):
        super().__init__(params, dict(lr=lr, beta=beta, k=0))

    @torch.no_grad()
    def swap(self, weight):
        for group in self.param_groups:
            for p in group["params"]:
                if "z" in self.state[p]:
                    p.lerp_(self.state[p]["z"], weight)

    def eval(self):
        self.swap(1 - 1 / 0.9)

    def train(self):
        self.swap(1 - 0.9)

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            active = [p for p in group["params"] if p.grad is not None]
            for p in active:
                if "z" not in self.state[p]:
                    self.state[p]["z"] = torch.clone(p, memory_format=torch.preserve_format)
                    self.state[p]["exp_avg_sq"] = torch.zeros_like(p, memory_format=torch.preserve_format)
            y, grads = active, [p.grad for p in active]
            z, v = ([self.state[p][k] for p in active] for k in ("z", "exp_avg_sq"))
            torch._foreach_mul_(v, 0.999)
            torch._foreach_addcmul_(v, grads, grads, value=0.001)
            denom = torch._foreach_sqrt(v)
            torch._foreach_add_(denom, 1e-8)
            torch._foreach_div_(grads, denom)
            group["k"] += 1
            torch._foreach_lerp_(y, z, weight=1 / group["k"])
            torch._foreach_add_(y, grads, alpha=-group["lr"] * 0.1)
            torch._foreach_sub_(z, grads, alpha=group["lr"])


class MLPMixerish(nn.Module):
    def __init__(self, d=768, n=4, out=1000):
        super().__init__()
        self.stem = nn.Linear(588, d)
        self.mix = nn.ModuleList(nn.ModuleDict({"n": nn.LayerNorm(d), "a": nn.Linear(d, 2 * d), "b": nn.Linear(2 * d, d)}) for _ in range(n))
        self.out = nn.Linear(d, out)

    def forward(self, patches):
        x = self.stem(patches)
        for m in self.mix:
            x = x + m["b"](torch.relu(m["a"](m["n"](x))).square())
        return self.out(x.mean(1))


def run(name):
    kinds = {"factored": Factored, "shampoo": Shampoo, "soap": SOAP, "galore": GaLore, "schedule_free": ScheduleFree}
    net = MLPMixerish().cuda()
    o = kinds[name](net.parameters())
    for i in range(5):
        x, t = torch.randn(8, 128, 588, device="cuda"), torch.randint(1000, (8,), device="cuda")
        o.zero_grad()
        nn.functional.cross_entropy(net(x), t).backward()
        o.step()
        if name == "schedule_free" and i == 2:
            net.eval(); o.eval()
            with torch.no_grad():
                net(torch.randn(16, 128, 588, device="cuda"))
            net.train(); o.train()


run(sys.argv[1])
