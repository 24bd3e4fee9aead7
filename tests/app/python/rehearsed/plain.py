"""A loop of one's own, recorded by the decorator; the third step is too big."""
import torch
from highwater_gpu import phase, record, step


@record("memory")
def main():
    model = torch.nn.Sequential(*[torch.nn.Linear(4096, 4096) for _ in range(8)]).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    for number in range(5):
        with step():
            with phase("rollout"):
                batch = torch.randn(4096 if number < 2 else 400_000, 4096, device="cuda")
            model(batch).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()


main()
