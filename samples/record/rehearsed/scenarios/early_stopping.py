"""A plain notebook loop: whole data set on the GPU, early stopping keeps the best weights as a deep copy of the state dict, losses as a list."""
import copy
import sys

import torch
from torch import nn, optim

hw = sys.modules.get("highwater_labels")

device = "cuda" if torch.cuda.is_available() else "cpu"
X, y = torch.randn(6000, 600), torch.randn(6000, 1)
Xtr, ytr, Xva, yva = X[:4800].to(device), y[:4800].to(device), X[4800:].to(device), y[4800:].to(device)

model = nn.Sequential(nn.Linear(600, 2500), nn.BatchNorm1d(2500), nn.PReLU(), nn.Linear(2500, 2500), nn.BatchNorm1d(2500), nn.PReLU(), nn.Linear(2500, 1)).to(device)
crit = nn.HuberLoss()
opt = optim.Adagrad(model.parameters(), lr=0.01)
best, best_w, bad, hist = float("inf"), None, 0, []
for ep in range(4):
    model.train()
    perm = torch.randperm(len(Xtr), device=device)
    tot = 0
    for i in range(0, len(Xtr), 1600):
        b = perm[i:i + 1600]
        out = model(Xtr[b])
        l = crit(out, ytr[b])
        opt.zero_grad()
        l.backward()
        opt.step()
        tot += l.item() * len(b)
    model.eval()
    with torch.no_grad():
        v = crit(model(Xva), yva)
    hist.append((tot, v))
    if ep < 2:  # values read back are 0 in a rehearsal: this is how the loss would fall
        best_w, bad = copy.deepcopy(model.state_dict()), 0
        if hw:
            hw.mark(best_w, "parameter")
    else:
        bad += 1
model.load_state_dict(best_w)
