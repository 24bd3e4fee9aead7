"""ResNet-18 in fp32, SGD, small batch (cudnn.benchmark with the argument benchmark, channels last with the argument last)"""
import torch, torch.nn as nn, torchvision

import sys
torch.backends.cudnn.benchmark = "benchmark" in sys.argv
model = torchvision.models.resnet18(weights=None).cuda(); form = torch.contiguous_format
if "last" in sys.argv: form = torch.channels_last; model = model.to(memory_format=form)
opt = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
for _ in range(4):
    x, y = torch.rand(64, 3, 160, 160).cuda().to(memory_format=form), torch.randint(0, 1000, (64,)).cuda()
    loss = nn.functional.cross_entropy(model(x), y); opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
