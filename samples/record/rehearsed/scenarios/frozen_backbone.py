# Transfer learning: features of a frozen network, a new head. Features need no graph.
import torch, torch.nn as nn

class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        c = [3, 128, 256, 512, 1024]
        self.stages = nn.ModuleList([nn.Sequential(nn.Conv2d(a, b, 3, 2, 1), nn.GroupNorm(16, b), nn.GELU(), nn.Conv2d(b, b, 3, 1, 1)) for a, b in zip(c, c[1:])])
    def forward(self, x):
        for s in self.stages: x = s(x)
        return x.mean([-2, -1])

def set_parameter_requires_grad(model, feature_extracting=True):
    if feature_extracting:
        for param in model.parameters():
            param.requires_grad = False

backbone = Backbone(); set_parameter_requires_grad(backbone)
net = nn.Sequential(backbone, nn.Linear(1024, 4096), nn.ReLU(), nn.Dropout(), nn.Linear(4096, 1000)).cuda()
params_to_update = [p for p in net.parameters() if p.requires_grad]
opt = torch.optim.SGD(params_to_update, lr=0.001, momentum=0.9)
for phase in ["train", "val", "train", "val", "train"]:
    net.train(phase == "train")
    for _ in range(2 if phase == "train" else 1):
        inputs, labels = torch.rand(32, 3, 96, 96).to("cuda"), torch.randint(1000, (32,)).to("cuda")
        opt.zero_grad()
        with torch.set_grad_enabled(phase == "train"):
            outputs = net(inputs)
            _, preds = torch.max(outputs, 1)
            loss = nn.functional.cross_entropy(outputs, labels)
            if phase == "train":
                loss.backward()
                opt.step()
