#pragma once

#include <string_view>

/// Tests for frames that are omitted from stacks because they belong to the recorder or the interpreter.
namespace highwater {

/// True for a C++ frame of the recorder itself: unwinding, the traceback, the caching allocator.
bool isRecorderFrame(std::string_view function);

/// True for a C or C++ frame of the Python interpreter, the C library or the start of a thread, recognised by
/// its name ("_PyEval_EvalFrameDefault", "slot_tp_call", "__libc_start_main") or by its file in CPython's
/// source tree.
bool isInterpreterFrame(std::string_view function, std::string_view file);

/// True for a Python frame that only passes a call on: `_call_impl` and `_wrapped_call_impl` of
/// torch.nn.Module.
bool isCallWrapper(std::string_view function, std::string_view file);

} // namespace highwater
