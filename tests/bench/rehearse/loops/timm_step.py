"""Training steps of timm's benchmark.py under AMP, SGD with momentum, random images: timm_step.py MODEL BATCH SIZE.

There, one process tries 512 images first and fewer while memory runs out, and what a try left behind is still there in
the next one. Here the last try before BATCH comes first, whether it fits or not.
"""
import sys

import timm
import torch

from measured import printed

FIRST = 512
torch.backends.cudnn.benchmark = True


class Bench:
    """The model and its inputs of one try; the one before lives until this one has been built. Weights have no values,
    which would take long to draw, but each its place, as `.to("cuda")` gives it."""

    def __init__(self, name, batch, size):
        known = timm.get_pretrained_cfg(name, allow_unregistered=True)
        settings = {} if known is None or size == known.input_size[-1] else {"img_size": size}
        with torch.device("meta"):
            try:
                self.model = timm.create_model(name, **settings)
            except TypeError:  # Convolutions take any size and know no such argument.
                self.model = timm.create_model(name)
        self.model.to_empty(device="cuda").train()
        # The default of the PyTorch that was measured, 1.12, is neither foreach nor to set gradients to None.
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-4, momentum=0.9, nesterov=True, foreach=False)
        self.shape = batch, 3, size, size

    def run(self):
        images = self.images = torch.randn(self.shape, device="cuda")
        for _ in range(3):
            self.optimizer.zero_grad(set_to_none=False)
            with torch.autocast("cuda"):
                output = self.model(images)
                output = output[0] if isinstance(output, tuple) else output
                target = torch.randint(0, 1000, output.shape[:1], device="cuda")
                torch.nn.functional.cross_entropy(output, target).backward()
            self.optimizer.step()
            del output


def larger(batch):
    """The size from which timm's decay_batch_step comes down to this one: powers of two, with one step between."""
    power = 1 << (batch.bit_length() - 1)
    return 3 * power // 2 if batch == power else 2 * power


name, wanted, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for batch in [larger(wanted), wanted] if wanted < FIRST else [wanted]:
    torch.cuda.empty_cache()
    try:
        bench = Bench(name, batch, size)
        bench.run()
    except RuntimeError:
        if batch == wanted:
            raise
printed("run")
