# Recorded without any stack: context=None. Otherwise an ordinary autoencoder.
import torch

net = torch.nn.Sequential(*[m for a, b in zip([2048, 1024, 512, 256, 512, 1024], [1024, 512, 256, 512, 1024, 2048])
                            for m in (torch.nn.Linear(a, b), torch.nn.LeakyReLU())])
torch.cuda.memory._record_memory_history(context=None, max_entries=100_000)
net.cuda()
adam = torch.optim.Adam(net.parameters())
for _ in range(5):
    batch = torch.rand(2048, 2048, device="cuda")
    adam.zero_grad()
    torch.nn.functional.mse_loss(net(batch), batch).backward()
    adam.step()
torch.cuda.memory._dump_snapshot("bare.pickle")
