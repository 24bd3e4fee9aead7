# A second stream brings the next batch while the first computes.
import torch

class DataPrefetcher:
    def __init__(self, n):
        self.left, self.stream = n, torch.cuda.Stream()
        self.host = torch.empty(512, 4096).pin_memory()
        self.preload()
    def preload(self):
        self.left -= 1
        if self.left < 0:
            self.next_input = None
            return
        with torch.cuda.stream(self.stream):
            self.next_input = self.host.cuda(non_blocking=True).float().sub_(0.5).div(0.25)
    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        x = self.next_input
        if x is not None:
            x.record_stream(torch.cuda.current_stream())
        self.preload()
        return x

mlp = torch.nn.Sequential(*[torch.nn.Sequential(torch.nn.Linear(4096, 4096), torch.nn.ReLU()) for _ in range(4)]).cuda()
sgd = torch.optim.SGD(mlp.parameters(), lr=.01, momentum=.9)
fetcher = DataPrefetcher(6)
x = fetcher.next()
while x is not None:
    loss = mlp(x).pow(2).mean()
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    x = fetcher.next()
