"""A torch that is made up: it has what the recorder uses, computes nothing and keeps a log. install() puts it in place of
torch; fake/torch.py does the same where that folder is on the search path. What torch itself has not is below torch.fake."""
import sys
import types
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
SNAPSHOT = SAMPLES / "pytorch-snapshot" / "oom-too-big.pickle.zst"


class OutOfMemoryError(RuntimeError):
    pass


class Fake:
    """What a test asks and sets."""

    def __init__(self):
        self.log = []  # what happened, in this order
        self.begun, self.ended = [], []  # names of ranges
        self.annotations = []  # names of ranges that the history holds
        self.history_is_on = False
        self.is_initialised = False
        self.queued, self.observers = [], []
        self.content = SNAPSHOT.read_bytes()
        self.during_dump = lambda path: None  # called when half of a file is written
        self.dump_error = None
        self.options_of_dumps = []

    def initialise(self):
        """What torch does when CUDA is used for the first time."""
        if not self.is_initialised:
            self.is_initialised = True
            self.log.append("initialised")
            for call in self.queued:
                call()

    def allocate(self):
        self.initialise()
        self.log.append("allocated")

    def run_out_of_memory(self):
        """Fails as an allocation does: observers first, then the exception."""
        self.initialise()
        for observer in self.observers:
            observer(0, 2411724800, 6442450944, 1644167168)
        self.log.append("raised")
        raise OutOfMemoryError("CUDA out of memory. Tried to allocate 2.25 GiB.")

    def lazy_call(self, call):
        if self.is_initialised:
            call()
        else:
            self.queued.append(call)

    def record_history(self, enabled="all", context="all", stacks="all", max_entries=sys.maxsize):
        self.log.append(("history", enabled, stacks, max_entries) if enabled else "history off")
        self.history_is_on = enabled is not None
        self.annotations.clear()

    def write(self, path):
        if self.dump_error:
            raise self.dump_error
        half = len(self.content) // 2
        with open(path, "wb") as file:
            file.write(self.content[:half])
            file.flush()
            self.during_dump(path)
            file.write(self.content[half:])
        self.log.append("dumped")

    def begin(self, name):
        self.begun.append(name)
        if self.history_is_on:
            self.annotations.append(name)

    def join_distributed(self, rank):
        """As if torch.distributed had been initialised."""
        module = types.ModuleType("torch.distributed")
        module.is_available = module.is_initialized = lambda: True
        module.get_rank = lambda: rank
        sys.modules["torch.distributed"] = module
        return module


def _profiler(fake):
    class record_function:  # torch writes it so
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            fake.begin(self.name)
            return self

        def __exit__(self, *_):
            fake.ended.append(self.name)

    return types.SimpleNamespace(record_function=record_function)


def _memory(fake, augments):
    def with_traces(filename="dump_snapshot.pickle", augment_with_fx_traces=False):
        fake.options_of_dumps.append({"augment_with_fx_traces": augment_with_fx_traces})
        fake.write(filename)

    def without_traces(filename="dump_snapshot.pickle"):
        fake.options_of_dumps.append({})
        fake.write(filename)

    return types.SimpleNamespace(_record_memory_history=fake.record_history,
                                 _dump_snapshot=with_traces if augments else without_traces)


def install(cuda="12.8", augments=True):
    """Makes `import torch` give a new one. cuda=None: a build without CUDA; augments: _dump_snapshot knows fx traces."""
    fake = Fake()
    torch = types.ModuleType("torch")
    torch.fake = fake
    torch.__version__ = "2.9.0"
    torch.version = types.SimpleNamespace(cuda=cuda, hip=None)
    torch.cuda = types.SimpleNamespace(_lazy_call=fake.lazy_call, memory=_memory(fake, augments),
                                       OutOfMemoryError=OutOfMemoryError)
    torch._C = types.SimpleNamespace(_cuda_attach_out_of_memory_observer=fake.observers.append)
    torch.profiler = _profiler(fake)
    sys.modules.pop("torch.distributed", None)
    sys.modules["torch"] = torch
    return torch
