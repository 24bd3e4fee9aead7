#include "core/analysis/stacks/frame_folding.h"

#include <algorithm>
#include <array>

#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 6> kRecorderParts = {"torch::unwind::", "CapturedTraceback",
    "gather_with_cpp", "CUDACachingAllocator::", "HIPCachingAllocator::", "CachingHostAllocator"};

constexpr std::array<std::string_view, 11> kInterpreterStarts
    = {"_Py", "__libc_", "pymain_", "pyrun_", "run_eval_code", "slot_tp_", "method_vectorcall", "vectorcall_",
        "pthread_", "cfunction_", "object_vacall"};

constexpr std::array<std::string_view, 8> kInterpreterNames = {"_start", "clone", "clone3", "start_thread",
    "run_mod", "type_call", "execute_native_thread_routine", "partial_call"};

constexpr std::array<std::string_view, 3> kInterpreterFolders = {"/Python/", "/Objects/", "/Modules/"};

/// True for "PyObject_Call", but not for "PythonEngine::…".
bool isPythonApi(std::string_view function)
{
    return function.size() > 2 && function.starts_with("Py") && function[2] >= 'A' && function[2] <= 'Z'
        && !contains(function, "::");
}

bool isInterpreterSource(std::string_view file)
{
    if (contains(file, "pycore_"))
        return true;
    return (file.ends_with(".c") || file.ends_with(".c.h")) && containsAny(file, kInterpreterFolders);
}

} // namespace

bool isRecorderFrame(std::string_view function)
{
    return containsAny(function, kRecorderParts);
}

bool isInterpreterFrame(std::string_view function, std::string_view file)
{
    const auto beginsFunction = [&](std::string_view start) { return function.starts_with(start); };
    return std::ranges::any_of(kInterpreterStarts, beginsFunction)
        || std::ranges::find(kInterpreterNames, function) != kInterpreterNames.end() || isPythonApi(function)
        || isInterpreterSource(file);
}

bool isCallWrapper(std::string_view function, std::string_view file)
{
    return (function == "_call_impl" || function == "_wrapped_call_impl") && file.ends_with("module.py");
}

} // namespace highwater
