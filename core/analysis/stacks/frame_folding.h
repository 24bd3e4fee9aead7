#pragma once

#include <string_view>

/// Frames that only separate the interesting ones: machinery of the recorder and the interpreter.
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
