#include "tests/app/rehearse/fake_torch.h"

#include <cstdlib>
#include <cstring>

#include <elf.h>

namespace highwater::test {

namespace {

constexpr std::string_view kVersion = "__version__ = '2.6.0'\ncuda = '12.4'\nhip = None\n";

/// Only the part of PyTorch that the recorder uses.
constexpr std::string_view kPackage = R"(
import ctypes, sys, types

_events, _segments, _calls, _live = [], {}, [], {}

def _event(action, address, size, frames=()):
    _events.append({"action": action, "addr": address, "size": size, "stream": 0, "time_us": len(_events),
                    "frames": list(frames)})

def initialise():
    while _calls:
        _calls.pop()()

def read_back():
    """What a kernel would have computed, an integer, comes to the host."""
    initialise()
    cuda_runtime, pointer, value = ctypes.CDLL(None), ctypes.c_void_p(), ctypes.c_int64(-1)
    cuda_runtime.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(512))
    cuda_runtime.cudaMemcpy(ctypes.byref(value), pointer, ctypes.c_size_t(8), 2)
    return value.value

def alloc(size, frames=()):
    initialise()
    address = (1 + len(_events)) << 40
    _segments[address] = size
    _event("segment_alloc", address, size)
    _live[address] = size
    _event("alloc", address, size, frames)
    return address

def free(address):
    size = _live.pop(address)
    _event("free_requested", address, size)
    _event("free_completed", address, size)

def empty_cache():
    for address in [address for address in _segments if address not in _live]:
        _event("segment_free", address, _segments.pop(address))

def run_out(size):
    while _calls:
        _calls.pop()()
    _event("oom", 0, size)
    _observer[0]()
    raise cuda.OutOfMemoryError("CUDA out of memory")

def optimizer_step():
    frame = {"name": "step", "filename": "torch/optim/adamw.py", "line": 1}
    loop = {"name": "<module>", "filename": "train.py", "line": 1}
    free(alloc(4096, [{"name": "forward", "filename": "train.py", "line": 2}, loop]))
    free(alloc(4096, [frame, loop]))
    for hook in _step_hooks:
        hook(_optimizer, (), {})

def _snapshot():
    segments = [{"device": 0, "address": address, "total_size": size, "stream": 0, "segment_type": "large",
                 "allocated_size": size * (address in _live), "active_size": size * (address in _live),
                 "blocks": [{"address": address, "size": size, "requested_size": size, "frames": [],
                             "state": "active_allocated" if address in _live else "inactive"}]}
                for address, size in _segments.items()]
    return {"segments": segments, "device_traces": [list(_events)]}

_observer = [lambda: None]

def _attach_observer(call):
    _observer[0] = lambda: call(0, 0, 0, 0)

class Tensor:
    def _nothing(self, *arguments):
        return None
    item = tolist = cpu = nonzero = unique = copy_ = clone = masked_select = _nothing
    __bool__ = __int__ = __float__ = __index__ = __getitem__ = __setitem__ = _nothing

def _function(*arguments, **keywords):
    return None

masked_select = normal = nonzero = argwhere = unique = unique_consecutive = bincount = where = repeat_interleave = _function
class _OutOfMemoryError(RuntimeError): pass
space = types.SimpleNamespace
_C = space(_cuda_getArchFlags=lambda: "sm_75 sm_80 sm_86 sm_90", _cuda_attach_out_of_memory_observer=_attach_observer)
cuda = space(memory=space(_snapshot=_snapshot, _record_memory_history=_function), _lazy_call=_calls.append,
             is_initialized=lambda: not _calls, max_memory_reserved=lambda: sum(_segments.values()),
             OutOfMemoryError=_OutOfMemoryError, device_count=lambda: 1,
             memory_stats=lambda device: {"allocation.all.allocated": len(_segments)})
backends = space(cuda=space())
distributed = space(is_available=lambda: False)
linalg = space()
strided = None
zeros = lambda *arguments, **keywords: Tensor()
_step_hooks, _optimizer = [], Tensor()
class Optimizer:
    def __init__(self, *arguments): pass
optim = space(Optimizer=Optimizer)
sys.modules["torch.optim"] = optim
sys.modules["torch.optim.optimizer"] = space(register_optimizer_step_post_hook=_step_hooks.append)
jit = space(_builtins=space(_find_builtin=_function))
_grad = [True]
is_grad_enabled = lambda: _grad[-1]

class no_grad:
    def __enter__(self): _grad.append(False)
    def __exit__(self, *error): _grad.pop()

class _Module:
    training = True
    def __call__(self, *arguments): return self.forward(*arguments)
    def eval(self): self.training = False
    def parameters(self): return [space(requires_grad=True)]
    def modules(self): return [self, *self.children()]
    def named_modules(self): return [("" if one is self else str(at), one) for at, one in enumerate(self.modules())]
    def children(self): return []

class _Blocks(_Module):
    def __init__(self, children): self._children = children
    def children(self): return self._children
    def modules(self): return [self, *(one for child in self._children for one in child.modules())]

def _checkpoint(function, *arguments, use_reentrant, **keywords):
    with no_grad():
        return function(*arguments, **keywords)

nn = space(Parameter=Tensor, Module=_Module, ModuleList=_Blocks, Sequential=type("Sequential", (_Blocks,), {}),
           functional=space(cross_entropy=_function))
sys.modules["torch.utils.checkpoint"] = space(checkpoint=_checkpoint)
bool = space(itemsize=1, is_floating_point=False)
uint8 = int64 = int32 = int16 = space(itemsize=8, is_floating_point=False)

class _Integers:
    """A tensor of the host."""
    def __init__(self, values):
        self._values = list(values)
        self._bytes = (ctypes.c_int64 * len(self._values))(*self._values)
        self.nbytes = ctypes.sizeof(self._bytes)
    def __add__(self, number): return _Integers(value + number for value in self._values)
    def __mod__(self, number): return _Integers(value % number for value in self._values)
    def to(self, dtype): return self
    def data_ptr(self): return ctypes.addressof(self._bytes)

tensor = lambda values: _Integers(values)
arange = lambda count: _Integers(range(count))
ones = lambda count, dtype: _Integers([1] * count)
)";

template <typename T>
void append(std::string& file, const T& value)
{
    file.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Returns a file that, like PyTorch's library, depends on the CUDA runtime. Rehearsals examine which CUDA
/// libraries PyTorch needs.
std::string libraryOfCuda()
{
    const std::string strings("\0libcudart.so.12\0", 17);
    Elf64_Ehdr header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_DYN;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 2;
    header.e_shoff = sizeof header + sizeof(Elf64_Dyn) + strings.size();
    Elf64_Dyn needed = {};
    needed.d_tag = DT_NEEDED;
    needed.d_un.d_val = 1;
    Elf64_Shdr dynamic = {};
    dynamic.sh_type = SHT_DYNAMIC;
    dynamic.sh_offset = sizeof header;
    dynamic.sh_size = sizeof needed;
    dynamic.sh_link = 1;
    Elf64_Shdr names = {};
    names.sh_type = SHT_STRTAB;
    names.sh_offset = sizeof header + sizeof needed;
    names.sh_size = strings.size();
    std::string file;
    append(file, header);
    append(file, needed);
    file += strings;
    append(file, dynamic);
    append(file, names);
    return file;
}

} // namespace

FakeTorch::FakeTorch()
{
    m_folder.write("site/torch/__init__.py", kPackage);
    m_folder.write("site/torch/version.py", kVersion);
    m_folder.write("site/torch/lib/libc10_cuda.so", libraryOfCuda());
    std::filesystem::create_directory(temporary());
}

bool FakeTorch::isUsable()
{
    return std::system("python3 -c 'import json' 2>/dev/null") == 0;
}

std::vector<std::pair<std::string, std::string>> FakeTorch::environment() const
{
    const std::string site = (folder() / "site").string();
    return {{"PYTHONPATH", site}, {"TORCH", site}, {"TMPDIR", temporary().string()}};
}

std::vector<std::string> FakeTorch::rehearsal(
    const std::string& script, const std::vector<std::string>& options) const
{
    std::vector<std::string> words{"rehearse", "--gpu", "L4", "-o", snapshot()};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", "python3", m_folder.write("train.py", script)});
    return words;
}

ProgramRun FakeTorch::run(const std::string& script, const std::vector<std::string>& options) const
{
    return runHighwater(rehearsal(script, options), {.environment = environment()});
}

} // namespace highwater::test
