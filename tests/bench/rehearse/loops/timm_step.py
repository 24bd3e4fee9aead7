"""Training steps of timm's benchmark under AMP, SGD with momentum, random images: timm_step.py MODEL BATCH SIZE."""
import sys

import timm
import torch

from measured import printed

torch.backends.cudnn.benchmark = True
name, batch, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
settings = {} if size == timm.get_pretrained_cfg(name, allow_unregistered=True).input_size[-1] else {"img_size": size}
try:
    model = timm.create_model(name, **settings)
except TypeError:  # Convolutions take any size and know no such argument.
    model = timm.create_model(name)
model.to("cuda").train()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9, nesterov=True)
images, classes = torch.randn(batch, 3, size, size, device="cuda"), torch.randint(0, 1000, (batch,), device="cuda")
for _ in range(3):
    optimizer.zero_grad(set_to_none=False)  # The default of the PyTorch that was measured, 1.12.
    with torch.autocast("cuda"):
        output = model(images)
        output = output[0] if isinstance(output, tuple) else output
        torch.nn.functional.cross_entropy(output, classes).backward()
    optimizer.step()
    del output
printed("run")
