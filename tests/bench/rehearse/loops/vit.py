"""ViT-L/16 of torchvision, as in pytorch-memory-optim: vit.py DTYPE BATCH OPTIMIZER ACCUMULATION, or vit.py DTYPE.

The second form only moves the model to the GPU. A validation pass follows the training, with the same batch.
"""
import math
import sys

import torch
import torchvision

from measured import printed

DTYPE = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}[sys.argv[1]]


class AdamOfJune2023(torch.optim.Adam):
    """As in the nightly PyTorch of the measurement: with a second temporary of the size of the parameters, `denom`."""

    @torch.no_grad()
    def step(self):
        group = self.param_groups[0]
        beta1, beta2 = group["betas"]
        parameters = [parameter for parameter in group["params"] if parameter.grad is not None]
        for parameter in parameters:
            if not self.state[parameter]:
                self.state[parameter].update(step=0, exp_avg=torch.zeros_like(parameter),
                                             exp_avg_sq=torch.zeros_like(parameter))
            self.state[parameter]["step"] += 1
        gradients = [parameter.grad for parameter in parameters]
        averages = [self.state[parameter]["exp_avg"] for parameter in parameters]
        squares = [self.state[parameter]["exp_avg_sq"] for parameter in parameters]
        step = self.state[parameters[0]]["step"]
        torch._foreach_lerp_(averages, gradients, 1 - beta1)
        torch._foreach_mul_(squares, beta2)
        torch._foreach_addcmul_(squares, gradients, gradients, 1 - beta2)
        roots = torch._foreach_sqrt(squares)
        torch._foreach_div_(roots, math.sqrt(1 - beta2**step))
        denom = torch._foreach_add(roots, group["eps"])
        torch._foreach_addcdiv_(parameters, averages, denom, -group["lr"] / (1 - beta1**step))


def attention_of_june_2023(*arguments, attention=torch.nn.functional.scaled_dot_product_attention, **settings):
    """FlashAttention 1 wrote its output batch by batch (`_scaled_dot_product_flash_attention_cuda`), which PyTorch
    copied for the next layer, while the backward keeps both. FlashAttention 2 writes it in the order of the query."""
    return attention(*arguments, **settings).transpose(1, 2).contiguous().transpose(1, 2)


if DTYPE != torch.float32:
    torch.nn.functional.scaled_dot_product_attention = attention_of_june_2023


def trained(model, batch, optimizer, accumulation):
    classes = torch.optim.SGD if optimizer == "SGD" else AdamOfJune2023
    optimizer = classes(model.parameters(), lr=5e-5)
    for index in range(4 * accumulation):
        model.train()
        features, targets = torch.randn(batch, 3, 224, 224).to(DTYPE).cuda(), torch.randint(0, 10, (batch,)).cuda()
        logits = model(features)
        loss = torch.nn.functional.cross_entropy(logits, targets) / accumulation
        if accumulation == 1:
            optimizer.zero_grad()
        loss.backward()
        if (index + 1) % accumulation == 0:
            optimizer.step()
            if accumulation > 1:
                optimizer.zero_grad()
        model.eval()
        with torch.no_grad():
            torch.argmax(logits, 1)
    with torch.no_grad():
        for _ in range(3):
            outputs = model(torch.randn(batch, 3, 224, 224).to(DTYPE).cuda())
            torch.argmax(outputs, 1)


network = torchvision.models.vit_l_16()
if len(sys.argv) > 2:
    network.heads.head = torch.nn.Linear(1024, 10)
network.to(DTYPE).to("cuda")
if len(sys.argv) > 2:
    trained(network, int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
printed("run")
