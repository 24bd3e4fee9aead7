"""`import torch` of scripts that tests start: the one that is made up."""
import fake_torch

fake_torch.install()
