# The whole step in a CUDA graph, replayed.
import torch
import torch.nn as nn

N, D_in, H, D_out = 640, 4096, 2048, 1024
model = nn.Sequential(nn.Linear(D_in, H), nn.Dropout(p=0.2), nn.Linear(H, D_out), nn.Dropout(p=0.1)).cuda()
loss_fn = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
static_input = torch.randn(N, D_in, device="cuda")
static_target = torch.randn(N, D_out, device="cuda")

s = torch.cuda.Stream()
s.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(s):
    for i in range(3):
        optimizer.zero_grad(set_to_none=True)
        loss_fn(model(static_input), static_target).backward()
        optimizer.step()
torch.cuda.current_stream().wait_stream(s)

g = torch.cuda.CUDAGraph()
optimizer.zero_grad(set_to_none=True)
with torch.cuda.graph(g):
    static_loss = loss_fn(model(static_input), static_target)
    static_loss.backward()
    optimizer.step()

for data, target in [(torch.rand(N, D_in), torch.rand(N, D_out)) for _ in range(3)]:
    static_input.copy_(data)
    static_target.copy_(target)
    g.replay()
