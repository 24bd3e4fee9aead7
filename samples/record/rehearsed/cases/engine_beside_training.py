"""Policy and engine on one GPU: the engine's KV cache lies in a MemPool of its own and its decoding step is a CUDA graph; the next prompts
come over a second stream while the policy trains. Three rounds of sampling and training.
"""
import torch
from torch import nn
import torch.nn.functional as F

WIDTH, LAYERS, HEADS, WORDS, ROWS, LENGTH = 768, 6, 12, 32000, 16, 256


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x, cache=None, place=0):
        rows, length, _ = x.shape
        q, k, v = (part.view(rows, length, HEADS, -1).transpose(1, 2) for part in self.qkv(self.norm(x)).chunk(3, -1))
        if cache is not None:
            cache[0][:, :, place:place + length], cache[1][:, :, place:place + length] = k, v
            k, v = cache
        y = F.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
        x = x + self.out(y.transpose(1, 2).reshape(rows, length, WIDTH))
        return x + self.mlp(x)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.layers = nn.Embedding(WORDS, WIDTH), nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, ids, caches=None, place=0):
        x = self.words(ids)
        for number, layer in enumerate(self.layers):
            x = layer(x, caches and caches[number], place)
        return self.head(x)


class Engine:
    def __init__(self, policy):
        self.policy, self.pool, self.graph = policy, torch.cuda.MemPool(), torch.cuda.CUDAGraph()
        with torch.cuda.use_mem_pool(self.pool):
            self.caches = [torch.zeros(2, ROWS, HEADS, LENGTH, WIDTH // HEADS, device="cuda") for _ in range(LAYERS)]
        self.token = torch.zeros(ROWS, 1, dtype=torch.long, device="cuda")
        with torch.no_grad():
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                self.policy(self.token, self.caches)
            torch.cuda.current_stream().wait_stream(side)
            with torch.cuda.graph(self.graph):
                self.logits = self.policy(self.token, self.caches)

    @torch.no_grad()
    def sample(self, prompts):
        answers = [prompts]
        for _ in range(24):
            self.graph.replay()
            self.token.copy_(self.logits[:, -1].argmax(-1, keepdim=True))
            answers.append(self.token.clone())
        return torch.cat(answers, 1)


def main():
    torch.manual_seed(0)
    policy = Policy().cuda()
    engine = Engine(policy)
    optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-5)
    copies = torch.cuda.Stream()
    batches = [torch.randint(0, WORDS, (ROWS, 128)).pin_memory() for _ in range(4)]
    prompts = batches[0].cuda()
    for number in range(3):
        with torch.cuda.stream(copies):
            following = batches[number + 1].cuda(non_blocking=True)
        following.record_stream(torch.cuda.current_stream())
        texts = engine.sample(prompts)
        loss = F.cross_entropy(policy(texts[:, :-1]).flatten(0, 1), texts[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        torch.cuda.current_stream().wait_stream(copies)
        prompts = following
        print(f"round {number}: max_memory_allocated {torch.cuda.max_memory_allocated() / 2**20:.1f} MiB", flush=True)


main()
