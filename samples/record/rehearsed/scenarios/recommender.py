"""Click prediction: large embedding tables with sparse gradients (SparseAdam), a dense part with Adam."""
import torch
from torch import nn


class DLRM(nn.Module):
    def __init__(self, rows=(400_000, 100_000, 20_000), d=64):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(r, d, mode="sum", sparse=True) for r in rows)
        self.bottom = nn.Sequential(nn.Linear(13, 512), nn.ReLU(), nn.Linear(512, d), nn.ReLU())
        self.top = nn.Sequential(nn.Linear(d * (len(rows) + 1), 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1))

    def forward(self, dense, sparse):
        parts = [self.bottom(dense)] + [t(s) for t, s in zip(self.tables, sparse)]
        return self.top(torch.cat(parts, 1)).squeeze(1)


def main():
    model = DLRM().to("cuda")
    opt_s = torch.optim.SparseAdam(list(model.tables.parameters()), lr=1e-3)
    opt_d = torch.optim.Adam([*model.bottom.parameters(), *model.top.parameters()], lr=1e-3)
    bce = nn.BCEWithLogitsLoss()
    for _ in range(4):
        dense = torch.rand(4096, 13, device="cuda")
        sparse = [torch.randint(0, t.num_embeddings, (4096, 8), device="cuda") for t in model.tables]
        click = torch.rand(4096, device="cuda")
        for o in (opt_s, opt_d):
            o.zero_grad()
        bce(model(dense, sparse), click).backward()
        opt_s.step()
        opt_d.step()


if __name__ == "__main__":
    main()
