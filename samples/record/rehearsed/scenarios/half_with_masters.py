"""Mixed precision before autocast: model.half(), 32-bit masters prepared in a list, gradients copied to master.grad, static loss scale."""
import sys

import torch
import torch.nn as nn

hw = sys.modules.get("highwater_labels")


def prep_param_lists(model):
    model_params = [p for p in model.parameters() if p.requires_grad]
    master_params = [p.clone().float().detach() for p in model_params]
    for m in master_params:
        m.requires_grad = True
    return model_params, master_params


def model_grads_to_master_grads(model_params, master_params):
    for model, master in zip(model_params, master_params):
        if master.grad is None:
            master.grad = torch.empty_like(master)
        master.grad.data.copy_(model.grad.data)


def master_params_to_model_params(model_params, master_params):
    for model, master in zip(model_params, master_params):
        model.data.copy_(master.data)


def bn_to_float(module):
    if isinstance(module, nn.modules.batchnorm._BatchNorm):
        module.float()
    for child in module.children():
        bn_to_float(child)
    return module


def vgg(cfg=(64, "M", 128, "M", 256, 256, "M", 512, 512, "M")):
    layers, c = [], 3
    for v in cfg:
        layers += [nn.MaxPool2d(2)] if v == "M" else [nn.Conv2d(c, v, 3, padding=1), nn.ReLU(inplace=True)]
        c = c if v == "M" else v
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(512 * 16, 1024), nn.ReLU(True), nn.Dropout(), nn.Linear(1024, 100))


model = bn_to_float(vgg().cuda().half())
model_params, master_params = prep_param_lists(model)
if hw:
    hw.mark(master_params, "optimizer_state")
optimizer = torch.optim.SGD(master_params, 0.1, momentum=0.9, weight_decay=1e-4)
for i in range(5):
    images, target = torch.rand(64, 3, 64, 64).cuda().half(), torch.randint(100, (64,)).cuda()
    loss = nn.functional.cross_entropy(model(images).float(), target)
    model.zero_grad()
    (loss * 128.0).backward()
    model_grads_to_master_grads(model_params, master_params)
    for p in master_params:
        p.grad.data.mul_(1 / 128.0)
    optimizer.step()
    master_params_to_model_params(model_params, master_params)
