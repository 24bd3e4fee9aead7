"""The cases of torch-preflight's measurement, all in one process: what the first ones leave counts in the later.

The second step of AdamW training under autocast, bf16 where PyTorch says that the GPU has it (a T4 emulates it).
Models have random weights of the published configuration.
"""
import torch
import transformers
from torch import nn
from torch.nn import functional
import torchvision

from measured import fresh, steady

DTYPE = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16


class Attention(nn.Module):
    def __init__(self, width, heads, fused, bias):
        super().__init__()
        self.heads, self.fused = heads, fused
        self.q, self.k, self.v, self.out = (nn.Linear(width, width, bias=bias) for _ in range(4))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part(x).view(batch, length, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        if self.fused:
            mixed = functional.scaled_dot_product_attention(q, k, v)
        else:
            mixed = ((q @ k.transpose(-2, -1)) / (width // self.heads) ** 0.5).softmax(-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width, heads, inner, fused, bias):
        super().__init__()
        self.attention = Attention(width, heads, fused, bias)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, inner, bias=bias), nn.Linear(inner, width, bias=bias)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


def trained(label, model, loss, rate=1e-4):
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=DTYPE):
            value, _output = loss(model)  # The output of the model, its logits too, lives on in the backward.
        value.backward()
        optimizer.step()

    steady(label, step, before=1)


def libraries():
    """First product and first convolution: their handles and workspaces stay."""
    a = torch.randn(256, 256, device="cuda")
    (a @ a).sum()
    convolution = nn.Conv2d(3, 16, 3, padding=1).cuda()
    convolution(torch.randn(1, 3, 64, 64, device="cuda")).sum().backward()


def stack(layers, width, heads, inner, batch, length, fused):
    x = torch.randn(batch, length, width, device="cuda")
    model = nn.Sequential(*[Block(width, heads, inner, fused, False) for _ in range(layers)]).cuda()
    trained(f"stack-{layers}x{width}-b{batch}-s{length}", model, lambda m: (m(x).float().pow(2).mean(), None))


def language(name, config, batch, length, causal):
    builder = transformers.AutoModelForCausalLM if causal else transformers.AutoModel
    model = builder.from_config(config).cuda()
    ids = torch.randint(0, config.vocab_size - 1, (batch, length), device="cuda")

    def loss(m):
        output = m(input_ids=ids, labels=ids) if causal else m(input_ids=ids)
        return output.loss if causal else output.last_hidden_state.float().pow(2).mean(), output

    trained(f"{name}-b{batch}", model, loss, rate=1e-5)


def images(batch):
    model, x = torchvision.models.resnet50().cuda(), torch.randn(batch, 3, 224, 224, device="cuda")
    target = torch.randint(0, 1000, (batch,), device="cuda")
    trained(f"resnet50-b{batch}", model, lambda m: (functional.cross_entropy(m(x), target), None))


CASES = [(libraries, ())]
CASES += [(stack, case) for case in (
    (4, 512, 8, 2048, 4, 256, False), (6, 768, 12, 3072, 8, 512, False), (6, 768, 12, 3072, 4, 1024, True),
    (12, 768, 12, 3072, 2, 512, False), (4, 1024, 16, 4096, 2, 1024, True))]
for name, config, causal in (("gpt2", transformers.GPT2Config(), True),
                             ("distilbert", transformers.DistilBertConfig(), False),
                             ("bert", transformers.BertConfig(), False)):
    CASES += [(language, (name, config, batch, length, causal)) for batch, length in ((4, 128), (8, 256))]
CASES += [(images, (16,)), (images, (32,))]
for function, arguments in CASES:
    function(*arguments)
    fresh()
