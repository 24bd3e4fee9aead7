# Prompt tuning: 32 vectors before the embedded text are all that learns; the model is frozen in half precision.
import torch
from torch import nn

class PromptTuner(nn.Module):
    def __init__(self, n=32, d=1024, layers=6, vocab=32000):
        super().__init__()
        self.word = nn.Embedding(vocab, d)
        layer = nn.TransformerEncoderLayer(d, 16, 4 * d, dropout=0.0, batch_first=True, norm_first=True, activation="gelu")
        self.lm = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.requires_grad_(False)
        self.half()
        self.prompt = nn.Parameter(torch.randn(n, d))

    def forward(self, ids):
        p = self.prompt.to(self.word.weight.dtype).expand(ids.size(0), -1, -1)
        h = self.lm(torch.cat([p, self.word(ids)], 1))[:, self.prompt.size(0):]
        return h @ self.word.weight.t()

net = PromptTuner().to("cuda:0")
opt = torch.optim.Adafactor([net.prompt], lr=0.3) if hasattr(torch.optim, "Adafactor") else torch.optim.Adam([net.prompt], lr=0.3)
for batch in range(4):
    ids = torch.randint(32000, (4, 160), device="cuda:0")
    logits = net(ids).float()
    nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten()).backward()
    opt.step()
    opt.zero_grad()
