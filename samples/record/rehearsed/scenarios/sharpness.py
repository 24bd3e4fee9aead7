# Two forward and backward passes a step: sharpness-aware minimisation around SGD. And a lookahead copy of the weights.
import sys, torch, torch.nn as nn
hw = sys.modules.get("highwater_labels")

class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups
    @torch.no_grad()
    def first_step(self):
        norm = torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"]]).norm()
        for g in self.param_groups:
            for p in g["params"]:
                self.state[p]["old_p"] = p.data.clone()
                if hw: hw.mark(self.state[p]["old_p"], "optimizer_state")
                p.add_(p.grad * (g["rho"] / (norm + 1e-12)))
    @torch.no_grad()
    def second_step(self):
        for g in self.param_groups:
            for p in g["params"]:
                p.data.copy_(self.state[p]["old_p"])
        self.base.step()
    def step(self, closure=None):
        raise NotImplementedError

mixer = nn.Sequential(nn.Conv2d(3, 256, 8, 8), nn.GELU(), *[m for _ in range(3) for m in (nn.Conv2d(256, 256, 5, padding=2, groups=256), nn.GELU(), nn.BatchNorm2d(256), nn.Conv2d(256, 256, 1), nn.GELU(), nn.BatchNorm2d(256))],
                      nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 20000)).cuda()
sam = SAM(mixer.parameters(), torch.optim.SGD, lr=.1, momentum=.9)
for _ in range(4):
    im, y = torch.rand(16, 3, 128, 128).cuda(), torch.randint(20000, (16,)).cuda()
    nn.functional.cross_entropy(mixer(im), y).backward()
    sam.first_step(); sam.zero_grad()
    nn.functional.cross_entropy(mixer(im), y).backward()
    sam.second_step(); sam.zero_grad()
