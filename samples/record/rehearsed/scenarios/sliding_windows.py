"""Segmentation of volumes: deep supervision, patches drawn on the GPU, validation by sliding windows whose logits are summed in a volume on the GPU."""
import torch
import torch.nn.functional as F
from torch import nn


def conv3(i, o, s=1):
    return nn.Sequential(nn.Conv3d(i, o, 3, s, 1), nn.InstanceNorm3d(o, affine=True), nn.LeakyReLU(0.01, inplace=True))


class PlainConvUNet(nn.Module):
    def __init__(self, f=(24, 48, 96, 192), k=4):
        super().__init__()
        self.enc = nn.ModuleList([nn.Sequential(conv3(1 if i == 0 else f[i - 1], c, 1 if i == 0 else 2), conv3(c, c)) for i, c in enumerate(f)])
        self.up = nn.ModuleList([nn.ConvTranspose3d(a, b, 2, 2) for a, b in zip(f[:0:-1], f[-2::-1])])
        self.dec = nn.ModuleList([nn.Sequential(conv3(2 * c, c), conv3(c, c)) for c in f[-2::-1]])
        self.seg = nn.ModuleList([nn.Conv3d(c, k, 1) for c in f[-2::-1]])

    def forward(self, x):
        skips = []
        for e in self.enc:
            x = e(x)
            skips.append(x)
        outs = []
        for u, d, s, skip in zip(self.up, self.dec, self.seg, skips[-2::-1]):
            x = d(torch.cat([u(x), skip], 1))
            outs.append(s(x))
        return outs[::-1] if self.training else outs[-1]


def dice_ce(p, t):
    s = p.softmax(1)
    o = F.one_hot(t, p.shape[1]).permute(0, 4, 1, 2, 3).float()
    return F.cross_entropy(p, t) + 1 - (2 * (s * o).sum((2, 3, 4)) / ((s + o).sum((2, 3, 4)) + 1e-5)).mean()


@torch.no_grad()
def predict_sliding_window(net, vol, patch=(64, 64, 64), classes=4, overlap=0.5):
    gauss = torch.rand(patch, device=vol.device).half()
    predicted = torch.zeros((classes, *vol.shape[1:]), dtype=torch.half, device=vol.device)
    n = torch.zeros(vol.shape[1:], dtype=torch.half, device=vol.device)
    steps = [range(0, d - p + 1, int(p * overlap)) for d, p in zip(vol.shape[1:], patch)]
    for i in steps[0]:
        for j in steps[1]:
            for k in steps[2]:
                sl = (slice(i, i + 64), slice(j, j + 64), slice(k, k + 64))
                with torch.autocast("cuda", torch.float16):
                    predicted[(slice(None), *sl)] += net(vol[(slice(None), *sl)][None])[0] * gauss
                n[sl] += gauss
    return (predicted / n).argmax(0).to(torch.uint8)


class Run:
    def __init__(self):
        self.network = PlainConvUNet().to("cuda")
        self.optimizer = torch.optim.SGD(self.network.parameters(), 1e-2, weight_decay=3e-5, momentum=0.99, nesterov=True)
        self.grad_scaler = torch.amp.GradScaler("cuda")
        self.weights = (4 / 7, 2 / 7, 1 / 7)

    def train_step(self, data, target):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda"):
            out = self.network(data)
            l = sum(w * dice_ce(o, target[:, ::2**i, ::2**i, ::2**i]) for i, (w, o) in enumerate(zip(self.weights, out)))
        self.grad_scaler.scale(l).backward()
        self.grad_scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.network.parameters(), 12)
        self.grad_scaler.step(self.optimizer)
        self.grad_scaler.update()
        return {"loss": l.detach().cpu().numpy()}


r = Run()
for epoch in range(2):
    r.network.train()
    for b in range(3):
        r.train_step(torch.randn(2, 1, 64, 64, 64).to("cuda", non_blocking=True), torch.randint(4, (2, 64, 64, 64)).to("cuda", non_blocking=True))
    r.network.eval()
    predict_sliding_window(r.network, torch.randn(1, 160, 160, 128).to("cuda"))
