"""Each allocation of one convolution, forward and backward: MATRIX name, sizes forward, sizes backward."""
import json, torch, torch.nn as nn, torch.nn.functional as F
torch.cuda.init(); torch.zeros(1, device="cuda")
def sizes(f):
    torch.cuda.synchronize(); n = len(torch.cuda.memory._snapshot()["device_traces"][0]); r = f(); torch.cuda.synchronize()
    return r, [e["size"] for e in torch.cuda.memory._snapshot()["device_traces"][0][n:] if e["action"] == "alloc"]
def one(name, make, shape, dtype, last=False):
    try:
        torch.cuda.empty_cache(); torch.cuda.memory._record_memory_history(enabled=None); torch.cuda.memory._record_memory_history(context=None, max_entries=100000)
        form = (torch.channels_last if len(shape) == 4 else torch.channels_last_3d) if last else torch.contiguous_format
        m = make().cuda().to(dtype).to(memory_format=form); x = torch.randn(*shape, device="cuda", dtype=dtype).to(memory_format=form).requires_grad_(True)
        y, f = sizes(lambda: m(x)); g = torch.ones_like(y); _, b = sizes(lambda: y.backward(g))
        print("MATRIX", json.dumps(dict(name=name, shape=shape, dtype=str(dtype)[6:], last=last, x=x.numel() * x.element_size(), y=y.numel() * y.element_size(), w=m.weight.numel() * m.weight.element_size(), forward=f, backward=b)), flush=True)
    except Exception as e: print("MATRIX", json.dumps(dict(name=name, fail=str(e)[:100])), flush=True)
C = nn.Conv2d
cases = [("stem 7x7/2", lambda: C(3, 64, 7, 2, 3, bias=False), (64, 3, 224, 224)), ("3x3 64", lambda: C(64, 64, 3, padding=1, bias=False), (64, 64, 56, 56)), ("3x3 128", lambda: C(128, 128, 3, padding=1, bias=False), (64, 128, 28, 28)),
    ("3x3 256", lambda: C(256, 256, 3, padding=1, bias=False), (64, 256, 14, 14)), ("3x3 512", lambda: C(512, 512, 3, padding=1, bias=False), (64, 512, 7, 7)), ("1x1 64-256", lambda: C(64, 256, 1, bias=False), (64, 64, 56, 56)),
    ("1x1 1024-256", lambda: C(1024, 256, 1, bias=False), (64, 1024, 14, 14)), ("3x3/2 128", lambda: C(128, 128, 3, 2, 1, bias=False), (64, 128, 56, 56)), ("depthwise 3x3", lambda: C(96, 96, 3, padding=1, groups=96), (64, 96, 56, 56)),
    ("depthwise 7x7", lambda: C(96, 96, 7, padding=3, groups=96), (32, 96, 56, 56)), ("grouped 32", lambda: C(256, 256, 3, padding=1, groups=32), (32, 256, 28, 28)), ("patch 16x16", lambda: C(3, 768, 16, 16), (32, 3, 224, 224)),
    ("unet 64 at 256", lambda: C(64, 64, 3, padding=1), (8, 64, 256, 256)), ("small batch", lambda: C(256, 256, 3, padding=1), (1, 256, 32, 32)), ("transposed 4x4/2", lambda: nn.ConvTranspose2d(256, 128, 4, 2, 1), (32, 256, 16, 16)),
    ("dilated 3x3", lambda: C(256, 256, 3, padding=4, dilation=4), (8, 256, 64, 64)), ("3d 3x3x3", lambda: nn.Conv3d(64, 64, 3, padding=1), (2, 64, 16, 56, 56)), ("1d 3", lambda: nn.Conv1d(512, 512, 3, 2), (8, 512, 9600))]
for dtype in (torch.float32, torch.float16, torch.bfloat16):
    for last in (False, True):
        for name, make, shape in cases:
            if not (last and len(shape) == 3): one(name, make, shape, dtype, last)
for kind in ("LSTM", "GRU", "RNN"):
    for i, h, n, t, b, p, both, dtype in [(512, 1024, 2, 100, 32, 0.1, False, torch.float32), (650, 650, 2, 35, 64, 0.5, False, torch.float32), (256, 512, 1, 200, 64, 0.0, True, torch.float32), (256, 256, 1, 50, 16, 0.0, False, torch.float16), (128, 64, 3, 77, 10, 0.2, True, torch.float32)]:
        try:
            torch.cuda.empty_cache(); torch.cuda.memory._record_memory_history(enabled=None); torch.cuda.memory._record_memory_history(context=None, max_entries=100000)
            m = getattr(nn, kind)(i, h, n, dropout=p, bidirectional=both).cuda().to(dtype); x = torch.randn(t, b, i, device="cuda", dtype=dtype, requires_grad=True)
            (y, _), f = sizes(lambda: m(x)); g = torch.ones_like(y); _, bw = sizes(lambda: y.backward(g))
            with torch.no_grad(): _, fi = sizes(lambda: m.eval()(x))
            print("MATRIX", json.dumps(dict(name=f"{kind} in={i} hidden={h} layers={n} steps={t} batch={b} dropout={p} both={both}", dtype=str(dtype)[6:], y=y.numel() * y.element_size(), w=sum(q.numel() * q.element_size() for q in m.parameters()), forward=f, backward=bw, inference=fi)), flush=True)
        except Exception as e: print("MATRIX", json.dumps(dict(name=kind, fail=str(e)[:100])), flush=True)
for name, f in [("rfft2 16x64x128x128", lambda: torch.fft.rfft2(torch.ones(16, 64, 128, 128, device="cuda"))), ("fft 8x1024", lambda: torch.fft.fft(torch.ones(8, 1024, device="cuda"))), ("fft 64x1000003", lambda: torch.fft.rfft(torch.ones(4, 1000003, device="cuda"))),
    ("cholesky 1024", lambda: torch.linalg.cholesky(torch.eye(1024, device="cuda"))), ("svd 512", lambda: torch.linalg.svd(torch.eye(512, device="cuda"))), ("eigh 512", lambda: torch.linalg.eigh(torch.eye(512, device="cuda"))), ("qr 512", lambda: torch.linalg.qr(torch.eye(512, device="cuda"))), ("solve 512", lambda: torch.linalg.solve(torch.eye(512, device="cuda"), torch.ones(512, 4, device="cuda"))), ("inverse 512", lambda: torch.inverse(torch.eye(512, device="cuda")))]:
    try:
        torch.cuda.memory._record_memory_history(enabled=None); torch.cuda.memory._record_memory_history(context=None, max_entries=100000); print("MATRIX", json.dumps(dict(name=name, forward=sizes(f)[1])), flush=True)
    except Exception as e: print("MATRIX", json.dumps(dict(name=name, fail=str(e)[:100])), flush=True)
