"""Reference case R3: a recurrent language model of 40 M parameters with 50,257 words; logits are batch x length x words x 4 bytes.

usage: r3_vocabulary.py [--batch N] [--length N] [--vocabulary N] [--steps N] [--fixed]
As written the state of each batch is stored on the model with its graph, every backward retains its graph for that, and logits are
made token by token and stacked. --fixed: the state is detached, logits are made at once.
"""
import argparse

import torch
import torch.nn.functional as F
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--length", type=int, default=256)
parser.add_argument("--vocabulary", type=int, default=50257)
parser.add_argument("--steps", type=int, default=8)
parser.add_argument("--fixed", action="store_true")
options = parser.parse_args()


class LanguageModel(nn.Module):
    def __init__(self, width=384, layers=2):
        super().__init__()
        self.words = nn.Embedding(options.vocabulary, width)
        self.rnn = nn.GRU(width, width, layers, batch_first=True)
        self.head = nn.Linear(width, options.vocabulary)
        self.states = []  # for a plot of what the model remembers

    def forward(self, ids):
        hidden, state = self.rnn(self.words(ids))
        self.states.append(state.detach().cpu() if options.fixed else state)
        if options.fixed:
            return self.head(hidden)
        logits = []
        for place in range(ids.shape[1]):
            logits.append(self.head(hidden[:, place]))
        return torch.stack(logits, 1)


class Training:
    def __init__(self):
        self.model = LanguageModel().cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def batch(self):
        ids = torch.randint(0, options.vocabulary, (options.batch, options.length + 1)).cuda()
        return ids[:, :-1], ids[:, 1:]

    def step(self, number):
        ids, targets = self.batch()
        logits = self.model(ids)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        self.optimizer.zero_grad()
        loss.backward(retain_graph=not options.fixed)
        self.optimizer.step()
        print(f"Epoch 1 | Step {number + 1} | Loss: {loss.item():.4f} | allocated {torch.cuda.memory_allocated() / 2**30:.2f} GiB", flush=True)


def main():
    torch.manual_seed(0)
    torch.backends.cudnn.enabled = False  # as it was recorded
    training = Training()
    for number in range(options.steps):
        training.step(number)


main()
