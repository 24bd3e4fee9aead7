"""Image classifier: residual network, SGD with momentum, a Trainer class, validation after each epoch."""
import argparse

import torch
from torch import nn, optim


def conv3x3(i, o, stride=1):
    return nn.Conv2d(i, o, 3, stride, 1, bias=False)


class BasicBlock(nn.Module):
    def __init__(self, inplanes, planes, stride=1):
        super().__init__()
        self.conv1, self.bn1 = conv3x3(inplanes, planes, stride), nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2, self.bn2 = conv3x3(planes, planes), nn.BatchNorm2d(planes)
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self, widths=(64, 128, 256, 512), classes=1000):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
                                  nn.MaxPool2d(3, 2, 1))
        layers, width = [], 64
        for i, w in enumerate(widths):
            layers.append(BasicBlock(width, w, 1 if i == 0 else 2))
            width = w
        self.layers = nn.Sequential(*layers)
        self.avgpool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(width, classes)

    def forward(self, x):
        return self.fc(torch.flatten(self.avgpool(self.layers(self.stem(x))), 1))


class Trainer:
    def __init__(self, args):
        self.args = args
        self.device = torch.device("cuda:0")
        self.net = ResNet().to(self.device)
        self.criterion = nn.CrossEntropyLoss().to(self.device)
        self.optim = optim.SGD(self.net.parameters(), 0.1, momentum=0.9, weight_decay=1e-4, nesterov=True)
        self.sched = optim.lr_scheduler.CosineAnnealingLR(self.optim, 10)

    def loader(self, n):
        for _ in range(n):
            yield torch.rand(self.args.bs, 3, 160, 160), torch.randint(0, 1000, (self.args.bs,))

    def fit_epoch(self):
        self.net.train()
        for images, labels in self.loader(2):
            images, labels = images.to(self.device, non_blocking=True), labels.to(self.device, non_blocking=True)
            output = self.net(images)
            loss = self.criterion(output, labels)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
        self.sched.step()

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        correct = 0
        for images, labels in self.loader(2):
            correct += (self.net(images.to(self.device)).argmax(1) == labels.to(self.device)).float().sum()
        return correct


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--bs", type=int, default=32)
    t = Trainer(p.parse_args())
    for epoch in range(3):
        t.fit_epoch()
        t.validate()
