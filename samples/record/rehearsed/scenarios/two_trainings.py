"""Two trainings one after another in one notebook: an autoencoder, then a classifier on its codes; nothing of the first is freed."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

hw = sys.modules.get("highwater_labels")
device = torch.device("cuda")

# --- cell 1
X = torch.rand(96, 3, 64, 64)
dl = DataLoader(TensorDataset(X, torch.randint(0, 10, (96,))), batch_size=32, shuffle=True)


class AE(nn.Module):
    def __init__(self, z=256):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(3, 64, 4, 2, 1), nn.ReLU(), nn.Conv2d(64, 128, 4, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(128 * 256, z))
        self.dec = nn.Sequential(nn.Linear(z, 128 * 256), nn.Unflatten(1, (128, 16, 16)), nn.ConvTranspose2d(128, 64, 4, 2, 1), nn.ReLU(),
                                 nn.ConvTranspose2d(64, 3, 4, 2, 1), nn.Sigmoid())

    def forward(self, x):
        return self.dec(self.enc(x))


ae = AE().to(device)
opt = torch.optim.Adam(ae.parameters(), lr=1e-3)
for epoch in range(2):
    for xb, _ in dl:
        if hw:
            hw.step()
        xb = xb.to(device)
        opt.zero_grad()
        loss = ((ae(xb) - xb) ** 2).mean()
        loss.backward()
        opt.step()
    print(epoch, loss.item())

# --- cell 2
clf = nn.Sequential(nn.Linear(256, 3000), nn.ReLU(), nn.Dropout(0.3), nn.Linear(3000, 3000), nn.ReLU(), nn.Linear(3000, 10)).to(device)
opt2 = torch.optim.SGD(clf.parameters(), lr=0.05, momentum=0.9)
for epoch in range(2):
    for xb, yb in dl:
        if hw:
            hw.step()
        with torch.no_grad():
            codes = ae.enc(xb.to(device))
        opt2.zero_grad()
        loss2 = nn.functional.cross_entropy(clf(codes), yb.to(device))
        loss2.backward()
        opt2.step()
