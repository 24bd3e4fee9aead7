"""A small model and its training step: what the recording scripts run when they are called directly."""
import sys


def require_torch(cuda=True):
    """Imports torch, or ends with a sentence that says what is missing."""
    try:
        import torch
    except ImportError:
        sys.exit("PyTorch is not installed in this Python (no module named torch)")
    if cuda and not torch.cuda.is_available():
        sys.exit("PyTorch sees no CUDA device, and this recording needs one")
    return torch


def build(torch, device="cuda"):
    model = torch.nn.Sequential(
        torch.nn.Linear(512, 2048), torch.nn.GELU(), torch.nn.Linear(2048, 2048), torch.nn.GELU(), torch.nn.Linear(2048, 512))
    model = model.to(device)
    return model, torch.optim.AdamW(model.parameters())


def train_step(torch, model, optimizer, batch=256, device="cuda"):
    optimizer.zero_grad()
    inputs = torch.randn(batch, 512, device=device)
    loss = torch.nn.functional.mse_loss(model(inputs), inputs)
    loss.backward()
    optimizer.step()
    return loss.item()
