"""Faster R-CNN with random weights: boxes that nms leaves decide sizes"""
import torch, torch.nn as nn, torchvision

torch.manual_seed(0)
model = torchvision.models.detection.fasterrcnn_resnet50_fpn(weights=None, weights_backbone=None, num_classes=10).cuda().train()
opt = torch.optim.SGD(model.parameters(), 0.005, momentum=0.9)
for _ in range(3):
    images = [torch.rand(3, 480, 640, device="cuda") for _ in range(4)]
    targets = [{"boxes": torch.tensor([[30., 40., 200., 220.], [100., 100., 300., 400.]], device="cuda"), "labels": torch.tensor([1, 2], device="cuda")} for _ in images]
    loss = sum(model(images, targets).values()); opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
