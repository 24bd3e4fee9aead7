"""Physics-informed fit of a field by LBFGS: derivatives by autograd.grad, the closure runs several times a step."""
import torch

net = torch.nn.Sequential(torch.nn.Linear(2, 1024), torch.nn.Tanh(), torch.nn.Linear(1024, 1024), torch.nn.Tanh(),
                          torch.nn.Linear(1024, 1024), torch.nn.Tanh(), torch.nn.Linear(1024, 1)).cuda()
points = torch.rand(8192, 2, device="cuda", requires_grad=True)
solver = torch.optim.LBFGS(net.parameters(), lr=1, max_iter=3, history_size=4)


def residual():
    u = net(points)
    du = torch.autograd.grad(u.sum(), points, create_graph=True)[0]
    return (du[:, 0] ** 2 + du[:, 1] ** 2 - 1).square().mean()


def closure():
    solver.zero_grad()
    loss = residual()
    loss.backward()
    return loss


for _ in range(3):
    solver.step(closure)
