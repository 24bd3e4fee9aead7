# A language model whose modules label what they allocate, as PyTorch offers it: user_metadata while a module's forward runs
# and, by hooks on the nodes that the forward made, its backward; and annotations of single tensors.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.memory import _annotate_tensor, _get_memory_metadata, _set_memory_metadata

V, C, H, L, T, B = 8192, 384, 6, 3, 256, 8


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(C, 3 * C)
        self.out = nn.Linear(C, C)

    def forward(self, x):
        q, k, v = (z.view(B, T, H, C // H).transpose(1, 2) for z in self.qkv(x).split(C, dim=2))
        scores = (q @ k.transpose(2, 3)) / (C // H) ** 0.5
        _annotate_tensor(scores, "scores")
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(C), nn.LayerNorm(C)
        self.attention = Attention()
        self.mlp = nn.Sequential(nn.Linear(C, 4 * C), nn.GELU(), nn.Linear(4 * C, C))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(V, C)
        self.layers = nn.ModuleList(Layer() for _ in range(L))
        self.head = nn.Linear(C, V, bias=False)

    def forward(self, ids):
        x = self.embedding(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def label_nodes(tensor, name):
    """The nodes of autograd that made the tensor, as far as they have no label, label what they allocate in backward."""
    nodes = [tensor.grad_fn] if tensor.grad_fn is not None else []
    while nodes:
        node = nodes.pop()
        if "label" not in node.metadata:
            node.metadata["label"] = name
            node.register_prehook(lambda gradients: _set_memory_metadata(name))
            nodes += [following for following, _ in node.next_functions if following is not None]


def label_modules(model):
    names = {module: name or "model" for name, module in model.named_modules()}
    before = []

    def enter(module, arguments):
        before.append(_get_memory_metadata())
        _set_memory_metadata(names[module])

    def leave(module, arguments, output):
        label_nodes(output, names[module])
        _set_memory_metadata(before.pop())

    for module in names:
        module.register_forward_pre_hook(enter)
        module.register_forward_hook(leave)


model = Model().cuda()
label_modules(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
for step in range(4):
    ids = torch.randint(0, V, (B, T + 1))
    logits = model(ids[:, :-1].cuda())
    loss = F.cross_entropy(logits.view(-1, V), ids[:, 1:].cuda().reshape(-1))
    label_nodes(loss, "")
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
