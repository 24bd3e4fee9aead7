

# torchtitan records by itself, with an option of its own: every rank, every 10 steps and when memory runs out, but not on a
# signal, and every file holds the events of all before it up to the limit:
#
#     --profiler.enable_memory_snapshot --profiler.memory_snapshot_freq 10 --profiler.memory_snapshot_max_entries 1000000
#
# (older: --profiling.enable_memory_snapshot, [profiling] in the TOML file). For the moment at which memory runs out, and
# signals, start this file in place of torchtitan.train, with the same options: torchrun … record_memory.py --module llama3 …
if __name__ == "__main__":
    import runpy
    import sys

    sys.path.insert(0, os.getcwd())
    torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", 0)))
    start()
    runpy.run_module("torchtitan.train", run_name="__main__", alter_sys=True)
