"""A small detector as YOLO trainers write it: ModelEMA, GradScaler, warm-up that ramps accumulation, three parameter groups."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def autopad(k, p=None):
    return k // 2 if p is None else p


class Conv(nn.Module):
    act_default = nn.SiLU(inplace=True)

    def __init__(self, c1, c2, k=1, s=1, p=None, act=True):
        super().__init__()
        self.conv = nn.Conv2d(c1, c2, k, s, autopad(k, p), bias=False)
        self.bn = nn.BatchNorm2d(c2)
        self.act = self.act_default if act else nn.Identity()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class Bottleneck(nn.Module):
    def __init__(self, c, e=0.5):
        super().__init__()
        self.cv1, self.cv2 = Conv(c, int(c * e), 3), Conv(int(c * e), c, 3)

    def forward(self, x):
        return x + self.cv2(self.cv1(x))


class C2f(nn.Module):
    def __init__(self, c1, c2, n=1):
        super().__init__()
        self.c = c2 // 2
        self.cv1, self.cv2 = Conv(c1, 2 * self.c), Conv((2 + n) * self.c, c2)
        self.m = nn.ModuleList(Bottleneck(self.c) for _ in range(n))

    def forward(self, x):
        y = list(self.cv1(x).chunk(2, 1))
        y.extend(m(y[-1]) for m in self.m)
        return self.cv2(torch.cat(y, 1))


class Detect(nn.Module):
    def __init__(self, nc=20, ch=()):
        super().__init__()
        self.nc, self.reg_max, self.no = nc, 16, nc + 64
        self.cv2 = nn.ModuleList(nn.Sequential(Conv(x, 64, 3), nn.Conv2d(64, 64, 1)) for x in ch)
        self.cv3 = nn.ModuleList(nn.Sequential(Conv(x, 64, 3), nn.Conv2d(64, nc, 1)) for x in ch)

    def forward(self, feats):
        return [torch.cat((a(f), b(f)), 1) for a, b, f in zip(self.cv2, self.cv3, feats)]


class DetectionModel(nn.Module):
    def __init__(self, w=48):
        super().__init__()
        self.stem = nn.Sequential(Conv(3, w, 3, 2), Conv(w, 2 * w, 3, 2), C2f(2 * w, 2 * w, 1))
        self.p3 = nn.Sequential(Conv(2 * w, 4 * w, 3, 2), C2f(4 * w, 4 * w, 2))
        self.p4 = nn.Sequential(Conv(4 * w, 8 * w, 3, 2), C2f(8 * w, 8 * w, 2))
        self.p5 = nn.Sequential(Conv(8 * w, 8 * w, 3, 2), C2f(8 * w, 8 * w, 1))
        self.up4, self.up3 = C2f(16 * w, 8 * w), C2f(12 * w, 4 * w)
        self.detect = Detect(20, (4 * w, 8 * w, 8 * w))

    def forward(self, im):
        a = self.p3(self.stem(im))
        b = self.p4(a)
        c = self.p5(b)
        d = self.up4(torch.cat((F.interpolate(c, scale_factor=2.0), b), 1))
        e = self.up3(torch.cat((F.interpolate(d, scale_factor=2.0), a), 1))
        return self.detect([e, d, c])


class ModelEMA:
    def __init__(self, model, decay=0.9999, tau=2000):
        self.ema = copy.deepcopy(model).eval()
        self.updates = 0
        self.decay = lambda x: decay * (1 - math.exp(-x / tau))
        for p in self.ema.parameters():
            p.requires_grad_(False)

    def update(self, model):
        self.updates += 1
        d = self.decay(self.updates)
        msd = model.state_dict()
        for k, v in self.ema.state_dict().items():
            if v.dtype.is_floating_point:
                v *= d
                v += (1 - d) * msd[k].detach()


class DetectionLoss:
    def __init__(self, model):
        self.nc = model.detect.nc
        self.bce = nn.BCEWithLogitsLoss(reduction="none")
        self.proj = torch.arange(16, dtype=torch.float, device="cuda")

    def __call__(self, preds, batch):
        x = torch.cat([p.flatten(2) for p in preds], 2).permute(0, 2, 1).contiguous()
        dist, scores = x.split((64, self.nc), 2)
        boxes = dist.view(*dist.shape[:2], 4, 16).softmax(3).matmul(self.proj.type(dist.dtype))
        with torch.no_grad():
            iou = (boxes.detach()[:, None] - batch["bboxes"][:, :, None]).abs().sum(-1).neg().exp()
            align = scores.detach().sigmoid()[:, None, :, 0] * iou.pow(6)
            target = align.amax(1)[..., None].expand_as(scores) * torch.nn.functional.one_hot(batch["cls"], self.nc).amax(1, keepdim=True)
        return self.bce(scores, target.to(scores.dtype)).sum() / 100 + (boxes - batch["bboxes"].mean(1, keepdim=True)).abs().mean() * 7.5


class Trainer:
    def __init__(self, nbs=8, bs=4):
        self.model = DetectionModel().to("cuda")
        self.ema = ModelEMA(self.model)
        self.scaler = torch.amp.GradScaler("cuda")
        self.nbs, self.bs, self.accumulate = nbs, bs, 1
        g = [], [], []
        bn = tuple(v for k, v in nn.__dict__.items() if "Norm" in k)
        for m in self.model.modules():
            for name, p in m.named_parameters(recurse=False):
                g[2 if name == "bias" else 1 if isinstance(m, bn) else 0].append(p)
        self.optimizer = torch.optim.SGD(g[2], lr=0.01, momentum=0.937, nesterov=True)
        self.optimizer.add_param_group({"params": g[0], "weight_decay": 5e-4})
        self.optimizer.add_param_group({"params": g[1], "weight_decay": 0.0})
        self.criterion = DetectionLoss(self.model)

    def preprocess_batch(self, batch):
        batch["img"] = batch["img"].to("cuda", non_blocking=True).float() / 255
        for k in ("cls", "bboxes"):
            batch[k] = batch[k].to("cuda")
        return batch

    def optimizer_step(self):
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=10.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        self.ema.update(self.model)

    def _do_train(self, iters=9, nw=4):
        last = -1
        self.optimizer.zero_grad()
        for ni in range(iters):
            if ni <= nw:
                self.accumulate = max(1, round(1 + ni / nw * (self.nbs / self.bs - 1)))
            batch = {"img": torch.randint(0, 255, (self.bs, 3, 320, 320), dtype=torch.uint8), "cls": torch.randint(20, (self.bs, 12)),
                     "bboxes": torch.rand(self.bs, 12, 4)}
            with torch.autocast("cuda"):
                batch = self.preprocess_batch(batch)
                self.loss = self.criterion(self.model(batch["img"]), batch)
            self.scaler.scale(self.loss).backward()
            if ni - last >= self.accumulate:
                self.optimizer_step()
                last = ni

    def validate(self):
        model = self.ema.ema.half()
        with torch.inference_mode():
            for _ in range(2):
                model(torch.rand(8, 3, 320, 320).cuda().half())
        self.ema.ema.float()


t = Trainer()
t._do_train()
t.validate()
