"""Records a rehearsal: loads the stand-ins, starts the history when CUDA is initialised, and writes the snapshot at
the end, at the first out of memory and on SIGTERM."""
import _thread
import atexit
import ctypes
import fcntl
import functools
import importlib.abc
import importlib.util
import inspect
import json
import os
import pickle
import signal
import sys
import threading

_settings = None
_stand_ins = None
_state = {"recording": False, "ooms": 0, "written": None, "reads": None, "labels": None}
_MAX_ENTRIES = 100_000_000


def prepare():
    """Called by sitecustomize: nothing else happens until the program imports torch."""
    global _settings
    with open(os.environ["HIGHWATER_REHEARSAL"], encoding="utf-8") as file:
        _settings = json.load(file)
    _after_import("torch", _attach, before=_load_stand_ins)
    atexit.register(_tell_of_missing_modules)
    # Both runs of the command take the same turns where it draws them without a seed of its own.
    _after_import("random", lambda random: random.seed(0))
    _after_import("numpy.random", lambda random: random.seed(0))
    if _settings["locked"]:
        _end_with_highwater()
        os.register_at_fork(after_in_child=_end_with_highwater)


def _tell_of_missing_modules():
    """A shell may go on where a script could not be imported; what is only asked for with -c is a question."""
    error, script = getattr(sys, "last_value", None), (sys.argv or [""])[0]
    if _stand_ins or not isinstance(error, ImportError) or script == "-c":
        return
    reason = " ".join(str(error).split())[:200]
    _tell_gap(f"{os.path.basename(script)} ended before it imported PyTorch ({reason}): what it would have done is not judged")


def _tell_gap(sentence):
    """What happens outside of what is recorded."""
    _note(f"? {sentence}")


def _note(line):
    with open(os.environ["HIGHWATER_NOTES"], "a", encoding="utf-8") as file:
        file.write(line + "\n")


def tell_python():
    """Called in place of `prepare` where the command starts Python by itself: says which one imports torch, and ends the
    command with all that it has started."""

    def tell():
        with open(os.environ["HIGHWATER_TELL_PYTHON"], "w", encoding="utf-8") as file:
            file.write(sys.executable)
        for process in reversed(_processes_up_to(int(os.environ["HIGHWATER_PROCESS"]))):
            os.kill(process, signal.SIGKILL)  # the outermost first: a shell would go on

    _after_import("torch", lambda torch: None, before=tell)


def _processes_up_to(ancestor):
    """This one and those that started it, without the ancestor; this one alone where it is none."""
    found, process = [], os.getpid()
    while process not in (0, 1, ancestor):
        found.append(process)
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            process = int(file.read().rpartition(")")[2].split()[1])
    return found if process == ancestor else found[:1]


def _end_with_highwater():
    """Where highwater was killed nobody waits for this process, however many processes lie between: it ends as well.
    The system gives the lock on the folder free then; the folder is gone before that if all went well."""

    def wait():
        try:
            folder = os.open(_settings["folder"], os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(folder, fcntl.LOCK_SH)
        except OSError:
            return
        if os.path.exists(_settings["folder"]):
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        _thread.start_new_thread(wait, ())  # unknown to the module threading, whose threads a script may wait for
    except RuntimeError:
        pass


class _Finder(importlib.abc.MetaPathFinder):
    """Waits for the import of one module; `before` and `after` are called around it. Many libraries ask whether a module
    is there before anything imports it, which changes nothing here."""

    def __init__(self, name, after, before):
        self._name, self._after, self._before = name, after, before

    def find_spec(self, name, path=None, target=None):
        if name != self._name or self not in sys.meta_path:
            return None
        after = sys.meta_path[sys.meta_path.index(self) + 1:]
        found = (finder.find_spec(name, path, target) for finder in after if hasattr(finder, "find_spec"))
        spec = next(filter(None, found), None)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def execute_and_call(module):
                if self not in sys.meta_path:
                    return execute(module)
                self._before()
                execute(module)
                sys.meta_path.remove(self)
                self._after(module)

            spec.loader.exec_module = execute_and_call
        return spec


def _after_import(name, after, before=lambda: None):
    sys.meta_path.insert(0, _Finder(name, after, before))


def _load_stand_ins():
    """Loaded before torch, they are found under their names when torch's libraries ask for them."""
    global _stand_ins
    found = importlib.util.find_spec("torch")
    folders = list(found.submodule_search_locations or []) if found else []
    if not any(os.path.realpath(folder) == os.path.realpath(_settings["torch_folder"]) for folder in folders):
        raise ImportError(f"highwater: {sys.executable} has another PyTorch than {_settings['python']}, which is rehearsed")
    for path in _settings["libraries"]:
        library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        _stand_ins = _stand_ins or library
    _stand_ins.highwaterAttached()
    if _settings["changes"] is not None:
        import highwater_changes

        highwater_changes.prepare(_settings["changes"], lambda name: _note(f"= {name}"))


def _attach(torch):
    import highwater_ends
    import highwater_reads
    import highwater_steps

    highwater_ends.watch()
    _set_ptx_version(torch)
    _mark_snapshots(torch)
    _remember_ranks(torch)
    # The stand-ins do not simulate cuDNN's attention; PyTorch's other kernels need nearly the same memory.
    if hasattr(torch.backends.cuda, "enable_cudnn_sdp"):
        torch.backends.cuda.enable_cudnn_sdp(False)
    highwater_steps.attach(torch, _settings, _rank)
    _state["reads"] = highwater_reads.attach(torch, _settings, _stand_ins)
    for replacement in highwater_reads.replacements(_settings):
        _replace_when_imported(*replacement)
    if _settings["labels"]:
        import highwater_labels

        _state["labels"] = highwater_labels.attach(torch, _replace_when_imported)
    if _settings["changes"] is not None:
        import highwater_changes

        highwater_changes.attach(torch)
    torch.cuda._lazy_call(lambda: _begin(torch))
    _tell(torch, has_ended=False)
    atexit.register(lambda: _state["recording"] or _tell(torch, has_ended=True))


def _replace_when_imported(module, name, replacement):
    import highwater_reads

    if module in sys.modules:
        highwater_reads.replace(sys.modules[module], name, replacement)
    else:
        _after_import(module, lambda imported: highwater_reads.replace(imported, name, replacement))


def _set_ptx_version(torch):
    """CUB refuses a version that the kernels were not compiled for: the newest up to the device's."""
    device = ctypes.c_int()
    capability = []
    for attribute in (75, 76):
        _stand_ins.cudaDeviceGetAttribute(ctypes.byref(device), attribute, 0)
        capability.append(device.value)
    flags = torch._C._cuda_getArchFlags() or ""
    architectures = [int("".join(c for c in word[3:] if c.isdigit())) for word in flags.split() if word[3:4].isdigit()]
    usable = [number for number in architectures if number <= 10 * capability[0] + capability[1]]
    if usable:
        _stand_ins.highwaterSetPtxVersion(max(usable))


def _mark_snapshots(torch):
    """Every snapshot of this process says what it is, also those that the script writes itself."""
    memory = torch.cuda.memory
    real = memory._snapshot
    mark = {key: _settings[key] for key in ("gpu", "gpus", "memory_bytes", "outside_bytes", "torch")}

    @functools.wraps(real)
    def _snapshot(*arguments, **keywords):
        snapshot = real(*arguments, **keywords)
        snapshot["highwater_rehearsal"] = {**mark, "rank": _rank()}
        return snapshot

    memory._snapshot = _snapshot


def _begin(torch):
    """CUDA is initialised, nothing is allocated yet."""
    if _state["recording"]:
        return
    _state["recording"] = True
    import highwater_ends

    highwater_ends.begin()
    memory = torch.cuda.memory
    if _settings["history"] == "whole":
        try:
            memory._record_memory_history(enabled="all", context="all", stacks=_settings["stacks"],
                                          max_entries=_MAX_ENTRIES)
        except RuntimeError as error:  # another allocator than PyTorch's own
            print(f"highwater: PyTorch keeps no history: {str(error).splitlines()[0]}", file=sys.stderr, flush=True)
        # The script's own calls would clear what was recorded.
        memory._record_memory_history = lambda *arguments, **keywords: None
    if _settings["trace"]:
        _profile(torch)
    try:
        torch._C._cuda_attach_out_of_memory_observer(lambda *numbers: _on_out_of_memory(torch))
    except RuntimeError:
        _tell_gap("another allocator than PyTorch's own is in use: what it takes is not judged")
    _write_at_the_end(torch)
    _tell(torch, has_ended=False)


def _profile(torch):
    """Operators and memory events; the simulated GPU has no kernels to tell of."""
    profiler = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True,
                                      record_shapes=True)
    profiler.start()
    _state["profiler"] = profiler


def _write_trace():
    profiler = _state.pop("profiler", None)
    if not profiler:
        return
    profiler.stop()
    path = _of_rank(_settings["trace"])

    def export(part):
        whole = part + (".gz" if path.endswith(".gz") else "")  # by which the profiler knows that it shall compress
        profiler.export_chrome_trace(whole)
        os.replace(whole, part)

    _in_one_step(path, export)


def _write_at_the_end(torch):
    import multiprocessing.util

    import highwater_ends
    import highwater_steps

    owner = os.getpid()

    def at_end():
        if os.getpid() != owner:
            return
        _write_trace()
        _tell_of_benchmark(torch)
        # What was written when memory ran out says more than what is left after all was given back.
        if not (_state["written"] and _state["ooms"] == 1 and highwater_ends.exception(torch) == "memory"):
            write(torch)
        _tell(torch, has_ended=True)

    def at_end_of_child(_):
        """A child that was forked cannot use the GPU: only that it failed matters."""
        _state["written"] = None
        highwater_ends.inherit()
        multiprocessing.util.Finalize(None, lambda: highwater_ends.exception(torch) and _tell(torch, has_ended=True),
                                      exitpriority=1000)

    atexit.register(at_end)
    # Processes of multiprocessing end without atexit, and some programs with os._exit.
    multiprocessing.util.Finalize(None, at_end, exitpriority=1000)
    multiprocessing.util.register_after_fork(at_end_of_child, at_end_of_child)
    leave = os._exit

    def leave_after_writing(code):
        highwater_ends.leave(code)
        if threading.current_thread() is not threading.main_thread() and not highwater_steps.facts()["ended_after"]:
            _tell_gap("a thread ended the process before its end")
        at_end()
        leave(code)

    os._exit = leave_after_writing

    def end_on_signal(*_):
        highwater_ends.stop()
        sys.exit(143)

    try:
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, end_on_signal)
    except ValueError:
        pass  # not the main thread


def _tell_of_benchmark(torch):
    """PyTorch's search (Conv_v8.cpp) takes what is free, less where that fails, and empties its cache afterwards."""
    notes = os.environ["HIGHWATER_NOTES"]
    cudnn = getattr(getattr(torch, "backends", None), "cudnn", None)
    if not getattr(cudnn, "benchmark", False) or not os.path.exists(notes):
        return
    with open(notes, encoding="utf-8") as file:
        if "tensors of a convolution" in file.read():
            _note("cudnn.benchmark tries algorithms in up to all free memory, which counts as reserved while it searches; "
                  "that alone fails no run")


def _on_out_of_memory(torch):
    import highwater_steps

    _state["ooms"] += 1
    highwater_steps.run_out()
    if _state["ooms"] == 1:
        write(torch)


def _distributed():
    """(rank, ranks) of torch.distributed, also after its end; else what the launcher says."""
    distributed = sys.modules.get("torch.distributed")
    if distributed and distributed.is_available() and distributed.is_initialized():
        _state["distributed"] = distributed.get_rank(), distributed.get_world_size()
    launched = int(os.environ.get("RANK") or 0), int(os.environ.get("WORLD_SIZE") or 1)
    return _state.get("distributed", (None, 1) if _child_name() and "RANK" not in os.environ else launched)


def _child_name():
    """"SpawnProcess-1", of a process that Python's multiprocessing started; else ""."""
    multiprocessing = sys.modules.get("multiprocessing")
    if not multiprocessing or multiprocessing.parent_process() is None:
        return ""
    return multiprocessing.current_process().name


def _remember_ranks(torch):
    distributed = torch.distributed
    if not distributed.is_available():
        return
    end = distributed.destroy_process_group

    def destroy_process_group(*arguments, **keywords):
        _distributed()
        return end(*arguments, **keywords)

    distributed.destroy_process_group = distributed.distributed_c10d.destroy_process_group = destroy_process_group


def _rank():
    return _distributed()[0]


def _of_rank(path):
    rank, ranks = _distributed()
    root, ending = os.path.splitext(path)
    return path if ranks == 1 else f"{root}_rank{rank}{ending}"


def _is_taken(path):
    """By another process of this rehearsal, or by what was there before it and is not to be replaced."""
    if os.path.exists(path) and path != _state["written"] and not _settings["force"]:
        return True
    claim = os.path.join(_settings["folder"], "claim-" + os.path.basename(path))
    try:
        with open(claim, "x", encoding="utf-8") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        with open(claim, encoding="utf-8") as file:
            return file.read() != str(os.getpid())
    return False


def _name_beside(path):
    """What `AtomicFile` of highwater calls a file that is not complete, so that it clears away what was left behind."""
    number = 14695981039346656037
    for byte in os.fsencode(os.path.basename(path)):
        number = (number ^ byte) * 1099511628211 % 2**64
    return os.path.join(os.path.dirname(path), f".highwater-save-{number:016x}-{os.getpid()}-1.part")


def _in_one_step(path, write):
    """As all files of highwater: `write` makes the file under another name, from which it is moved into its place. A
    link stays, and the file that it leads to is replaced, with its owner and permissions."""
    path = os.path.realpath(path)
    old = os.stat(path) if os.path.exists(path) else None
    part = _name_beside(path)
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT, 0o600 if old else 0o666))
        write(part)
        if old:
            _take_over_permissions(part, old)
        os.replace(part, path)
    finally:
        for left in (part, part + ".gz"):
            if os.path.exists(left):
                os.remove(left)


def _take_over_permissions(path, old):
    try:
        os.chown(path, old.st_uid, old.st_gid)
    except OSError:
        pass  # only root may give files away
    os.chmod(path, old.st_mode & 0o7777)


def _has_allocated(torch):
    """Where PyTorch keeps no such figures, it may have."""
    statistics = getattr(torch.cuda, "memory_stats", None)
    if not statistics or _state["ooms"]:
        return True
    return any(statistics(device).get("allocation.all.allocated", 1) for device in range(torch.cuda.device_count()))


def write(torch):
    """The snapshot, moved into place in one step, and a line about it for the command."""
    if not _has_allocated(torch):
        return  # a helper, such as those that compile
    path, labels_path = _of_rank(_settings["snapshot"]), _of_rank(_settings["labels"])
    if _is_taken(path):
        name = _child_name() or f"process{os.getpid()}"
        path, labels_path = (f"{root}_{name}{ending}"
                             for root, ending in (os.path.splitext(path), os.path.splitext(labels_path)))
    if _state["labels"]:
        _in_one_step(labels_path, _state["labels"].write)

    def snapshot(part):
        take, options = torch.cuda.memory._snapshot, {}
        if "augment_with_fx_traces" in inspect.signature(take).parameters:
            options["augment_with_fx_traces"] = True  # names the model's lines in code that torch.compile generated
        with open(part, "wb") as file:
            pickle.dump(take(**options), file)
    _in_one_step(path, snapshot)
    _state["written"] = path
    _tell(torch, has_ended=False)


def _tell(torch, has_ended):
    """All that is known of this process: its last line in the journal counts."""
    import highwater_ends
    import highwater_steps

    line = {**highwater_ends.facts(), **highwater_steps.facts(), "path": _state["written"] or "", "rank": _rank(),
            "architectures": torch._C._cuda_getArchFlags() or "",
            "name": _child_name(), "out_of_memory": _state["ooms"] > 0, "exception": highwater_ends.exception(torch),
            "has_ended": has_ended, "unsteered": _state["reads"].unsteered() if _state["reads"] else [],
            "listeners": _state["reads"].listeners() if _state["reads"] else []}
    with open(_settings["journal"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
