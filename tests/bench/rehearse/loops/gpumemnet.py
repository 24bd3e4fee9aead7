"""The epoch of GPUMemNet's measured nets, fp32, Adam, images of ImageNet's shape: gpumemnet.py MODEL BATCH.

The last batch of ImageNet's training has 15 images; validation follows, with what is left of 50,000 in its last batch.
"""
import sys

import torch

from measured import printed

name, batch = sys.argv[1], int(sys.argv[2])
size = 299 if name == "inception_v3" else 224
if name == "xception":
    import timm

    model = timm.create_model(name, num_classes=1000)
else:
    import torchvision

    model = getattr(torchvision.models, name)(**({"aux_logits": False} if name == "inception_v3" else {}))
model.to("cuda")
model(torch.rand(2, 3, size, size).to("cuda"))  # The summary that is printed first.
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)


def loss_of(count):
    images, labels = torch.empty(count, 3, size, size), torch.randint(0, 1000, (count,))
    outputs = model(images.to("cuda"))
    return outputs, torch.nn.functional.cross_entropy(outputs, labels.to("cuda"))


for count in (batch, batch, batch, 15):
    optimizer.zero_grad()
    outputs, loss = loss_of(count)
    loss.backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    for count in (batch, batch, 50_000 % batch):
        outputs, loss = loss_of(count)
printed("run")
