"""Segmentation with a feature pyramid and deep supervision; torch's AveragedModel, poly schedule, evaluation with the average."""
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class FPN(nn.Module):
    def __init__(self, widths=(64, 128, 256, 512), out=128, classes=19):
        super().__init__()
        self.down = nn.ModuleList()
        c = 3
        for w in widths:
            self.down.append(nn.Sequential(nn.Conv2d(c, w, 3, 2, 1, bias=False), nn.BatchNorm2d(w), nn.ReLU(True), nn.Conv2d(w, w, 3, 1, 1), nn.ReLU(True)))
            c = w
        self.lateral = nn.ModuleList(nn.Conv2d(w, out, 1) for w in widths)
        self.heads = nn.ModuleList(nn.Conv2d(out, classes, 3, 1, 1) for _ in widths)

    def forward(self, x):
        feats = []
        for d in self.down:
            x = d(x)
            feats.append(x)
        y, outs = None, []
        for f, l, h in list(zip(feats, self.lateral, self.heads))[::-1]:
            y = l(f) if y is None else l(f) + nn.functional.interpolate(y, size=f.shape[-2:], mode="nearest")
            outs.append(h(y))
        return outs


net = FPN().cuda()
ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.99))
opt = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
poly = torch.optim.lr_scheduler.PolynomialLR(opt, 10)
for it in range(5):
    im, gt = torch.rand(4, 3, 256, 256).cuda(), torch.randint(19, (4, 256, 256)).cuda()
    loss = sum(nn.functional.cross_entropy(nn.functional.interpolate(o, size=gt.shape[-2:], mode="bilinear"), gt) for o in net(im))
    opt.zero_grad()
    loss.backward()
    opt.step()
    poly.step()
    ema.update_parameters(net)
    if it % 2:
        with torch.inference_mode():
            ema(torch.rand(1, 3, 256, 256).cuda())[-1].argmax(1)
