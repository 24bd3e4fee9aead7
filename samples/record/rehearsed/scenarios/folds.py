"""Five-fold cross-validation as in competitions: the model of each fold is kept in a list, then they vote on the test set."""
import sys

import numpy as np
import torch
import torch.nn as nn

hw = sys.modules.get("highwater_labels")


class TabNet(nn.Module):
    def __init__(self, n_num=64, cards=(5000, 800, 12000), emb=64, hid=1024):
        super().__init__()
        self.embs = nn.ModuleList([nn.Embedding(c, emb) for c in cards])
        self.bn = nn.BatchNorm1d(n_num)
        self.l1, self.l2, self.out = nn.Linear(n_num + emb * len(cards), hid), nn.Linear(hid, hid), nn.Linear(hid, 1)
        self.drop = nn.Dropout(0.2)

    def forward(self, xc, xn):
        x = torch.cat([e(xc[:, i]) for i, e in enumerate(self.embs)] + [self.bn(xn)], 1)
        return self.out(self.drop(torch.relu(self.l2(self.drop(torch.relu(self.l1(x))))))).squeeze(1)


rng = np.random.default_rng(42)
N = 20000
cat = np.stack([rng.integers(0, c, N) for c in (5000, 800, 12000)], 1)
num, target = rng.normal(size=(N, 64)).astype("f4"), rng.integers(0, 2, N).astype("f4")
idx = rng.permutation(N)


def train_fn(model, optimizer, scheduler, rows):
    model.train()
    for s in range(0, len(rows), 4096):
        if hw:
            hw.step()
        b = rows[s:s + 4096]
        c, n, y = torch.tensor(cat[b]).cuda(), torch.tensor(num[b]).cuda(), torch.tensor(target[b]).cuda()
        optimizer.zero_grad()
        loss = nn.BCEWithLogitsLoss()(model(c, n), y)
        loss.backward()
        optimizer.step()
        scheduler.step()


def valid_fn(model, rows):
    model.eval()
    preds = []
    for s in range(0, len(rows), 8192):
        b = rows[s:s + 8192]
        with torch.no_grad():
            preds.append(model(torch.tensor(cat[b]).cuda(), torch.tensor(num[b]).cuda()).sigmoid().cpu().numpy())
    return np.concatenate(preds)


oof, models = np.zeros(N), []
for fold in range(5):
    va = idx[fold::5]
    tr = np.setdiff1d(idx, va)
    model = TabNet().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=8)
    for epoch in range(1):
        train_fn(model, optimizer, scheduler, tr)
    oof[va] = valid_fn(model, va)
    models.append(model)

test = np.mean([valid_fn(m, idx[:8192]) for m in models], 0)
