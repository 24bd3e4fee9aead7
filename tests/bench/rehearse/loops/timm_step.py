"""Training steps of timm's benchmark.py under AMP, SGD with momentum, random images: timm_step.py MODEL BATCH SIZE.

Weights have no values, which would take long to draw, but each its place, as `.to("cuda")` gives it.
"""
import sys

import timm
import torch

from measured import printed

torch.backends.cudnn.benchmark = True
name, batch, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
known = timm.get_pretrained_cfg(name, allow_unregistered=True)
settings = {} if known is None or size == known.input_size[-1] else {"img_size": size}
with torch.device("meta"):
    try:
        model = timm.create_model(name, **settings)
    except TypeError:  # Convolutions take any size and know no such argument.
        model = timm.create_model(name)
model.to_empty(device="cuda").train()
# The PyTorch that was measured, 1.12, neither uses foreach by default nor sets gradients to None.
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9, nesterov=True, foreach=False)
images = torch.randn(batch, 3, size, size, device="cuda")
for _ in range(3):
    optimizer.zero_grad(set_to_none=False)
    with torch.autocast("cuda"):
        output = model(images)
        output = output[0] if isinstance(output, tuple) else output
        target = torch.randint(0, 1000, output.shape[:1], device="cuda")
        torch.nn.functional.cross_entropy(output, target).backward()
    optimizer.step()
    del output
printed("run")
