# The image is what is optimised; the network is frozen.
import sys
import torch
import torch.nn as nn

cfg = [64, 64, "M", 128, 128, "M", 256, 256]
mods, c = [], 3
for v in cfg:
    if v == "M":
        mods.append(nn.MaxPool2d(2))
    else:
        mods += [nn.Conv2d(c, v, 3, padding=1), nn.ReLU(inplace=False)]
        c = v
vgg = nn.Sequential(*mods).cuda().eval()
for p in vgg.parameters():
    p.requires_grad_(False)

def gram(f):
    b, ch, h, w = f.shape
    m = f.view(b * ch, h * w)
    return m @ m.t() / (b * ch * h * w)

def features(x):
    out = []
    for m in vgg:
        x = m(x)
        if isinstance(m, nn.ReLU):
            out.append(x)
    return out

hw = sys.modules.get("highwater_labels")
content, style = torch.rand(1, 3, 256, 256).cuda(), torch.rand(1, 3, 256, 256).cuda()
with torch.no_grad():
    target_c = features(content)[3]
    target_s = [gram(f) for f in features(style)]
img = content.clone().requires_grad_(True)
opt = torch.optim.Adam([img], lr=0.02)
for i in range(5):
    opt.zero_grad()
    fs = features(img)
    loss = nn.functional.mse_loss(fs[3], target_c) + 1e5 * sum(nn.functional.mse_loss(gram(f), g) for f, g in zip(fs, target_s))
    loss.backward()
    opt.step()
    with torch.no_grad():
        img.clamp_(0, 1)
