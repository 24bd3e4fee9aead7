# Model parallel in one process: first half on cuda:0, second on cuda:1.
import torch, torch.nn as nn

class Toy(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Sequential(nn.Embedding(20000, 768), *[nn.TransformerEncoderLayer(768, 12, 3072, batch_first=True) for _ in range(2)]).to("cuda:0")
        self.back = nn.Sequential(*[nn.TransformerEncoderLayer(768, 12, 3072, batch_first=True) for _ in range(2)], nn.Linear(768, 20000)).to("cuda:1")
    def forward(self, x):
        return self.back(self.front(x.to("cuda:0")).to("cuda:1"))

model = Toy()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
for _ in range(4):
    t = torch.randint(0, 20000, (4, 128))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(t).flatten(0, 1), t.to("cuda:1").flatten()).backward()
    optimizer.step()
