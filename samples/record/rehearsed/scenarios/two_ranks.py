"""Two processes, one GPU each: ddp, ddp_view (gradients are views of the buckets), ddp_zero (sharded optimizer, two
micro-batches a step), fsdp, fsdp_flat (one flat parameter a unit, bf16), fully_shard."""
import contextlib
import functools
import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


class Layer(nn.Module):
    def __init__(self, d=768):
        super().__init__()
        self.norm, self.mlp = nn.LayerNorm(d), nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        return x + self.mlp(self.norm(x))


class Model(nn.Module):
    def __init__(self, d=768, n=3, vocab=4000):
        super().__init__()
        self.emb, self.layers, self.head = nn.Embedding(vocab, d), nn.ModuleList(Layer(d) for _ in range(n)), nn.Linear(d, vocab)

    def forward(self, ids):
        x = self.emb(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def wrap(kind, rank):
    if kind.startswith("ddp"):
        return nn.parallel.DistributedDataParallel(Model().cuda(), gradient_as_bucket_view=kind == "ddp_view")
    if kind.startswith("fsdp"):
        from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, MixedPrecision
        from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy
        policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Layer})
        return FSDP(Model().cuda(), auto_wrap_policy=policy, use_orig_params=kind == "fsdp",
                    mixed_precision=MixedPrecision(torch.bfloat16, torch.bfloat16) if kind == "fsdp_flat" else None)
    from torch.distributed.fsdp import fully_shard
    model = Model().cuda()
    for layer in model.layers:
        fully_shard(layer)
    fully_shard(model)
    return model


def worker(rank, kind):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29533", USE_LIBUV="0")
    torch.cuda.set_device(0)
    dist.init_process_group("nccl", rank=rank, world_size=2)
    model = wrap(kind, rank)
    if kind == "ddp_zero":
        from torch.distributed.optim import ZeroRedundancyOptimizer
        optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.AdamW, lr=1e-3)
    else:
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    micro_batches = 2 if kind == "ddp_zero" else 1
    for _ in range(4):
        for micro in range(micro_batches):
            with contextlib.nullcontext() if micro + 1 == micro_batches else model.no_sync():
                ids = torch.randint(0, 4000, (4, 257), device="cuda")
                logits = model(ids[:, :-1])
                loss = nn.functional.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())
                loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    os._exit(0)


if __name__ == "__main__":
    mp.spawn(worker, (sys.argv[1],), nprocs=2)
