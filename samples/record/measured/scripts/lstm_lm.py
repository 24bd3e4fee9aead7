"""Language model with LSTM and truncated backpropagation (cuDNN), SGD, clipping"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

import sys
if "native" in sys.argv: torch.backends.cudnn.enabled = False
class LM(nn.Module):
    def __init__(self, vocab=10000, d=650):
        super().__init__()
        self.emb, self.rnn, self.head, self.drop = nn.Embedding(vocab, d), nn.LSTM(d, d, 2, dropout=0.5), nn.Linear(d, vocab), nn.Dropout(0.5)
    def forward(self, x, state):
        y, state = self.rnn(self.drop(self.emb(x)), state); return self.head(self.drop(y)), state
model = LM().cuda(); opt = torch.optim.SGD(model.parameters(), 20.0); state = None
for _ in range(6):
    ids = torch.randint(0, 10000, (36, 64)).cuda()
    if state: state = tuple(s.detach() for s in state)
    out, state = model(ids[:-1], state); loss = F.cross_entropy(out.flatten(0, 1), ids[1:].flatten())
    opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(model.parameters(), 0.25); opt.step()
print(loss.item())
