"""FedAvg in one process: each round copies the global model for some clients, trains each copy with an optimizer of its own, averages state dicts."""
import copy
import random
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

hw = sys.modules.get("highwater_labels")
random.seed(1)


class CNNCifar(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 64, 5, padding=2), nn.Conv2d(64, 128, 5, padding=2)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1, self.fc2, self.fc3 = nn.Linear(128 * 8 * 8, 768), nn.Linear(768, 384), nn.Linear(384, 10)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv2(self.pool(torch.relu(self.conv1(x))))))
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(x.flatten(1))))))


class LocalUpdate:
    def __init__(self, data):
        self.ldr = DataLoader(data, batch_size=64, shuffle=True)
        self.loss_func = nn.CrossEntropyLoss()

    def train(self, net):
        net.train()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.5)
        for it in range(1):
            for images, labels in self.ldr:
                if hw:
                    hw.step()
                images, labels = images.cuda(), labels.cuda()
                net.zero_grad()
                loss = self.loss_func(net(images), labels)
                loss.backward()
                optimizer.step()
        return net.state_dict()


def FedAvg(w):
    w_avg = copy.deepcopy(w[0])
    for k in w_avg.keys():
        for i in range(1, len(w)):
            w_avg[k] += w[i][k]
        w_avg[k] = torch.div(w_avg[k], len(w))
    if hw:
        hw.mark(w_avg, "parameter")
    return w_avg


net_glob = CNNCifar().cuda()
clients = [LocalUpdate(TensorDataset(torch.rand(128, 3, 32, 32), torch.randint(10, (128,)))) for _ in range(6)]
for rnd in range(3):
    w_locals = []
    for idx in random.sample(range(6), 3):
        w = clients[idx].train(net=copy.deepcopy(net_glob))
        w_locals.append(copy.deepcopy(w))
        if hw:
            hw.mark(w_locals[-1], "parameter")
    net_glob.load_state_dict(FedAvg(w_locals))
