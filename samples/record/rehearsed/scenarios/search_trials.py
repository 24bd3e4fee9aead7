"""Hyperparameter search: each trial builds, trains, scores and drops a model of another width; the best so far is kept; gc.collect and empty_cache between."""
import gc
import sys

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")


class TextCNN(nn.Module):
    def __init__(self, width, kernels=(3, 4, 5), vocab=20000, emb=200, classes=20, dropout=0.5):
        super().__init__()
        self.embedding = nn.Embedding(vocab, emb)
        self.convs = nn.ModuleList(nn.Conv1d(emb, width, k) for k in kernels)
        self.fc1, self.fc2, self.dropout = nn.Linear(width * len(kernels), 1024), nn.Linear(1024, classes), nn.Dropout(dropout)

    def forward(self, text):
        e = self.embedding(text).transpose(1, 2)
        c = torch.cat([torch.relu(conv(e)).amax(2) for conv in self.convs], 1)
        return self.fc2(self.dropout(torch.relu(self.fc1(c))))


def objective(width, name, lr):
    model = TextCNN(width).cuda()
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    for step in range(3):
        if hw:
            hw.step()
        text, label = torch.randint(0, 20000, (64, 120)).cuda(), torch.randint(0, 20, (64,)).cuda()
        optimizer.zero_grad()
        loss = criterion(model(text), label)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        acc = (model(torch.randint(0, 20000, (256, 120)).cuda()).argmax(1) == 0).float().mean()
    return acc, model


best = None
for trial, (width, name, lr) in enumerate([(128, "Adam", 1e-3), (512, "SGD", 1e-1), (256, "RMSprop", 1e-3), (640, "Adam", 3e-4), (384, "Adagrad", 1e-2)]):
    acc, model = objective(width, name, lr)
    if best is None or trial == 3:  # values read back are 0 in a rehearsal
        best = model
    del model
    gc.collect()
    torch.cuda.empty_cache()
