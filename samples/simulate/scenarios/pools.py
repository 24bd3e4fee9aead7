"""Private pools and expandable segments."""
from simulate.models import TINY_GPT
from simulate.program import Program
from simulate.settings import A100_40, MIB, TORCH_2_10, TORCH_2_14, Settings
from simulate.training import MAIN, AdamW, Loss, Transformer, train_step

GRAPH_POOL = (1, 0)    # first number set: a CUDA graph capture
USER_POOL = (0, 1)     # second number set: torch.cuda.MemPool
CAPTURE_STREAM = 0x5620_77E1_0B40
SERVE_PY = "/workspace/serve/engine.py"
SERVE = MAIN.call("serve", SERVE_PY, 210)


def private():
    """An inference engine: a KV cache in a MemPool, decode graphs for three batch sizes, then eager prefills."""
    program = Program(8, A100_40, era=TORCH_2_14)
    transformer = Transformer(program, TINY_GPT, 32, 256, width=2)
    transformer.load(SERVE.call("load_weights", SERVE_PY, 64))
    program.allocator.kept_pools |= {GRAPH_POOL, USER_POOL}
    cache_site = SERVE.call("allocate_kv_cache", SERVE_PY, 88)
    for _ in range(2 * TINY_GPT.layers):
        program.tensor(24 * MIB, "zeros", cache_site, pool_id=USER_POOL)
    for batch in (8, 4, 1):
        _capture(program, batch)
    for _ in range(3):
        program.drop(transformer.infer(SERVE.call("prefill", SERVE_PY, 131)), SERVE)
    program.empty_cache(SERVE.call("release", SERVE_PY, 240))
    return program.snapshot()


def _capture(program, batch):
    """Static input and output stay; what the graph uses in between goes back to the pool, not to the driver."""
    site = SERVE.call("capture", SERVE_PY, 152)
    where = {"stream": CAPTURE_STREAM, "pool_id": GRAPH_POOL}
    program.tensor(batch * 256 * 2, "zeros", site, **where)
    inner = [program.tensor(batch * width * 256 * 1024, "mm", site.call("decode", SERVE_PY, 117), **where)
             for width in (1, 3, 4, 4, 1)]
    program.tensor(batch * TINY_GPT.vocab * 4, "mm", site.call("logits", SERVE_PY, 122), **where)
    for block in inner:
        program.drop(block, site)


def expandable():
    """Sequences of different length; the cache is flushed after every second step, so pages are unmapped."""
    settings = Settings(conf="expandable_segments:True", expandable=True)
    program = Program(9, A100_40, settings, era=TORCH_2_10)
    transformer = Transformer(program, TINY_GPT, 8, 128)
    transformer.load(MAIN.call("build_model", "/workspace/train/model.py", 104))
    optimizer, gradients = AdamW(program, transformer.sizes), [None] * len(transformer.sizes)
    for number, sequence in enumerate((128, 384, 192, 640, 256)):
        transformer.sequence = sequence
        train_step(transformer, Loss(transformer), optimizer, gradients)
        if number % 2:
            program.empty_cache(MAIN.call("train_epoch", "/workspace/train/train.py", 99))
    return program.snapshot()
