"""3D convolutions (R3D-18) on clips, fp32, Adam"""
import torch, torch.nn as nn, torchvision

model = torchvision.models.video.r3d_18(weights=None, num_classes=20).cuda(); opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    x, y = torch.rand(4, 3, 8, 112, 112, device="cuda"), torch.randint(0, 20, (4,), device="cuda")
    loss = nn.functional.cross_entropy(model(x), y); opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
