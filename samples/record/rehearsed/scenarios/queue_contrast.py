"""MoCo: a momentum encoder, the queue of keys is a buffer of the module, shuffled batch norm left out."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, w=64, out=128):
        super().__init__()
        ch = [3, w, 2 * w, 4 * w, 8 * w]
        self.net = nn.Sequential(*[nn.Sequential(nn.Conv2d(a, b, 3, 2, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True),
                                                 nn.Conv2d(b, b, 3, 1, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)) for a, b in zip(ch, ch[1:])])
        self.fc = nn.Sequential(nn.Linear(8 * w, 8 * w), nn.ReLU(), nn.Linear(8 * w, out))

    def forward(self, x):
        return self.fc(self.net(x).mean((2, 3)))


class MoCo(nn.Module):
    def __init__(self, base_encoder, dim=128, K=65536, m=0.999, T=0.07):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q, self.encoder_k = base_encoder(out=dim), base_encoder(out=dim)
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data.copy_(param_q.data)
            param_k.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))
        self.ptr = 0

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data = param_k.data * self.m + param_q.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        n = keys.shape[0]
        self.queue[:, self.ptr:self.ptr + n] = keys.T
        self.ptr = (self.ptr + n) % self.K
        self.queue_ptr[0] = self.ptr

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder()
            k = F.normalize(self.encoder_k(im_k), dim=1)
        l_pos = torch.einsum("nc,nc->n", [q, k]).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", [q, self.queue.clone().detach()])
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long).cuda()
        self._dequeue_and_enqueue(k)
        return logits, labels


model = MoCo(Tower).cuda()
criterion = nn.CrossEntropyLoss().cuda()
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], 0.03, momentum=0.9, weight_decay=1e-4)
model.train()
for i in range(5):
    images = [torch.rand(32, 3, 96, 96).cuda(non_blocking=True) for _ in range(2)]
    output, target = model(im_q=images[0], im_k=images[1])
    loss = criterion(output, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
