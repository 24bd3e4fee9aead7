"""ResNet-50, fp16 autocast with GradScaler, SGD with momentum, validation each epoch"""
import torch, torch.nn as nn, torchvision

torch.manual_seed(0)
model = torchvision.models.resnet50(weights=None).cuda()
opt = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
scaler, loss_of = torch.amp.GradScaler("cuda"), nn.CrossEntropyLoss()
for epoch in range(2):
    model.train()
    for _ in range(3):
        x, y = torch.rand(64, 3, 224, 224).cuda(non_blocking=True), torch.randint(0, 1000, (64,)).cuda()
        with torch.autocast("cuda", dtype=torch.float16): loss = loss_of(model(x), y)
        opt.zero_grad(); scaler.scale(loss).backward(); scaler.step(opt); scaler.update()
    model.eval(); right = 0
    with torch.no_grad():
        for _ in range(2):
            x, y = torch.rand(128, 3, 224, 224).cuda(), torch.randint(0, 1000, (128,)).cuda()
            right += (model(x).argmax(1) == y).sum().item()
    print(epoch, right / 256)
