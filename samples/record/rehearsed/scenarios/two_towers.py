# CLIP-like contrastive training: one tower of images, one of texts, a learnt temperature.
import numpy as np
import torch
from torch import nn

torch.backends.cudnn.enabled = False  # as it was recorded

class ImageTower(nn.Module):
    def __init__(self, out):
        super().__init__()
        chans = [3, 64, 128, 256, 512]
        self.net = nn.Sequential(*[m for i, o in zip(chans, chans[1:]) for m in (nn.Conv2d(i, o, 3, 2, 1), nn.BatchNorm2d(o), nn.SiLU())])
        self.proj = nn.Linear(512, out)
    def forward(self, im):
        return self.proj(self.net(im).mean((2, 3)))

class TextTower(nn.Module):
    def __init__(self, out, vocab=30000, d=512):
        super().__init__()
        self.embedding = nn.Embedding(vocab, d)
        self.gru = nn.GRU(d, d, batch_first=True)
        self.proj = nn.Linear(d, out)
    def forward(self, tok):
        return self.proj(self.gru(self.embedding(tok))[1][-1])

class CLIP(nn.Module):
    def __init__(self):
        super().__init__()
        self.visual, self.textual = ImageTower(512), TextTower(512)
        self.logit_scale = nn.Parameter(torch.ones([]) * np.log(1 / 0.07))
    def forward(self, im, tok):
        a = nn.functional.normalize(self.visual(im), dim=-1)
        b = nn.functional.normalize(self.textual(tok), dim=-1)
        logits = self.logit_scale.exp() * a @ b.t()
        t = torch.arange(len(im), device=im.device)
        return (nn.functional.cross_entropy(logits, t) + nn.functional.cross_entropy(logits.t(), t)) / 2

class Engine:
    """Owns everything; called by a list of callbacks."""
    def __init__(self, callbacks=()):
        self.model = CLIP().cuda()
        self.opt = torch.optim.AdamW([{"params": self.model.visual.parameters(), "weight_decay": 0.2},
                                      {"params": self.model.textual.parameters(), "weight_decay": 0.0},
                                      {"params": [self.model.logit_scale]}], lr=5e-4)
        self.callbacks = callbacks
    def run(self, iterations):
        for self.iteration in range(iterations):
            self.state = self.process()
            for c in self.callbacks:
                c(self)
    def process(self):
        im, tok = torch.rand(256, 3, 96, 96).cuda(), torch.randint(30000, (256, 8)).cuda()
        loss = self.model(im, tok)
        loss.backward()
        self.opt.step()
        self.opt.zero_grad()
        with torch.no_grad():
            self.model.logit_scale.clamp_(0, np.log(100))
        return loss.detach()

log = []
Engine([lambda e: log.append(e.state)]).run(4)
