"""Which attention PyTorch takes by itself, and what it allocates: dtype, head size, mask, dropout, grouped heads, with and without gradients."""
import itertools, json, torch, torch.nn.functional as F
out = {}
def case(dtype, d, kind, grad, t=1024, b=2, h=8):
    kv = 2 if kind == "gqa" else h
    q, k, v = (torch.randn(b, n, t, d, device="cuda", dtype=dtype, requires_grad=grad) for n in (h, kv, kv))
    mask = {"mask": lambda: torch.ones(t, t, device="cuda", dtype=torch.bool).tril(), "bias": lambda: torch.zeros(b, h, t, t, device="cuda", dtype=dtype)}.get(kind, lambda: None)()
    torch.cuda.synchronize(); torch.cuda.reset_peak_memory_stats(); before = torch.cuda.memory_allocated()
    y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=kind in ("causal", "dropout", "gqa"), dropout_p=0.1 if kind == "dropout" else 0.0, enable_gqa=kind == "gqa")
    kept, forward = torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before
    name = y.grad_fn.name() if grad else None
    if grad: torch.cuda.reset_peak_memory_stats(); y.backward(torch.ones_like(y))
    return [name, kept, forward, torch.cuda.max_memory_allocated() - before if grad else None]
for dtype, d, kind, grad in itertools.product((torch.bfloat16, torch.float16, torch.float32), (32, 64, 80, 128, 192, 256), ("plain", "causal", "mask", "bias", "dropout", "gqa"), (True, False)):
    key = f"{str(dtype)[6:]} d={d} {kind} {'grad' if grad else 'nograd'}"
    try: out[key] = case(dtype, d, kind, grad)
    except Exception as e: out[key] = ["FAIL " + str(e).splitlines()[0][:80]]
    print("MATRIX", key, json.dumps(out[key]), flush=True)
print("last", case(torch.bfloat16, 64, "causal", True, t=4096))
