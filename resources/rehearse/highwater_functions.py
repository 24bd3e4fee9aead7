"""Functions of torch that read the device by themselves: what they read is decided where they are called."""
import types

from highwater_reads import Deciding


def replace_function(owner, name, function, builtins):
    real = getattr(owner, name)
    function.__name__ = name
    function.__doc__ = real.__doc__
    operator = builtins._find_builtin(real)
    if operator:  # TorchScript compiles calls of it as before
        builtins._register_builtin(function, operator)
    setattr(owner, name, function)


def pass_checks(torch, reads, stand_ins):
    """What PyTorch itself reads where no rule sees it: that all deviations are valid, and that no decomposition failed."""
    real = torch.normal

    def normal(*arguments, **keywords):
        stand_ins.highwaterGiveOnes(1)
        try:
            return real(*arguments, **keywords)
        finally:
            stand_ins.highwaterGiveOnes(0)

    replace_function(torch, "normal", normal, torch.jit._builtins)

    def well(real):
        def function(*arguments, **keywords):
            with Deciding(reads, 0):
                return real(*arguments, **keywords)
        return function

    linear = [(torch.linalg, name) for name in dir(torch.linalg) if not name.startswith("_")]
    for owner, name in linear + [(torch, "inverse"), (torch, "cholesky"), (torch, "cholesky_inverse")]:
        if isinstance(getattr(owner, name, None), types.BuiltinFunctionType):
            replace_function(owner, name, well(getattr(owner, name)), torch.jit._builtins)
    for name in ("inverse", "cholesky"):
        if hasattr(torch.Tensor, name):
            setattr(torch.Tensor, name, well(getattr(torch.Tensor, name)))


def watch_functions(torch, reads, host_bytes):
    """Functions whose result is as large as what the device counted; rules can only say that this is known."""

    def watch(real, name, decides):
        def function(*arguments, **keywords):
            tensor = arguments[0] if arguments else keywords.get("input")
            if not isinstance(tensor, torch.Tensor) or not tensor.is_cuda or getattr(reads.now, "give", None) is not None \
                    or not decides(arguments, keywords):
                return real(*arguments, **keywords)
            known = host_bytes.true_count(tensor) if name in _COUNTED else None
            if known is None:
                known = "fill" if reads.decide(name) == "fill" else "real"
            with Deciding(reads, known):
                return real(*arguments, **keywords)

        function.__name__, function.__doc__ = name, real.__doc__
        return function

    def watched(name, decides):
        replace_function(torch, name, watch(getattr(torch, name), name, decides), torch.jit._builtins)
        # What the module's functions do, the methods do as well; where they are steered, that comes first.
        if hasattr(torch.Tensor, name) and name not in ("nonzero", "unique", "where"):
            setattr(torch.Tensor, name, watch(getattr(torch.Tensor, name), name, decides))

    for name in ("nonzero", "argwhere", "unique", "unique_consecutive", "bincount"):
        watched(name, lambda arguments, keywords: True)
    watched("where", lambda arguments, keywords: len(arguments) + len(keywords) == 1)
    watched("repeat_interleave", lambda arguments, keywords: "output_size" not in keywords
            and any(isinstance(value, torch.Tensor) and value.is_cuda for value in arguments[1:]))


_COUNTED = ("nonzero", "argwhere", "where")  # give as many elements as a mask selects
