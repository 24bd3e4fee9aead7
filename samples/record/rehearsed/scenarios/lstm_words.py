# Word-level language model with truncated backpropagation; hidden state is carried, gradients by hand as in pytorch/examples.
import math
import torch
import torch.nn as nn

class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers):
        super().__init__()
        self.drop = nn.Dropout(0.2)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers, dropout=0.2)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid, self.nlayers = nhid, nlayers

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(input)), hidden)
        decoded = self.decoder(self.drop(output)).view(-1, 20000)
        return nn.functional.log_softmax(decoded, dim=1), hidden

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(self.nlayers, bsz, self.nhid), w.new_zeros(self.nlayers, bsz, self.nhid)

def repackage_hidden(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage_hidden(v) for v in h)

torch.backends.cudnn.enabled = False  # as it was recorded
bptt, lr = 35, 20.0
corpus = torch.randint(0, 20000, (6 * bptt + 1, 40)).cuda()
model = RNNModel(20000, 650, 650, 2).cuda()
criterion = nn.NLLLoss()
import sys
hw = sys.modules.get("highwater_labels")

model.train()
hidden = model.init_hidden(40)
total_loss = 0.
for batch, i in enumerate(range(0, corpus.size(0) - 1, bptt)):
    if hw: hw.step()
    data, targets = corpus[i:i + bptt], corpus[i + 1:i + 1 + bptt].reshape(-1)
    model.zero_grad()
    hidden = repackage_hidden(hidden)
    output, hidden = model(data, hidden)
    loss = criterion(output, targets)
    loss.backward()
    if hw: hw.phase("optimizer")
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
    for p in model.parameters():
        p.data.add_(p.grad, alpha=-lr)
    if hw: hw.phase("between")
    total_loss += loss.item()
print(math.exp(min(total_loss, 5)))
