#include "core/analysis/stacks/source_files.h"

#include "core/base/text_parts.h"

namespace highwater {

bool isRecorderFile(std::string_view path)
{
    return contains(path, "/highwater-rehearsal-") || path.ends_with("/record_memory.py")
        || contains(path, "/highwater_gpu/");
}

bool isLibraryFile(std::string_view file)
{
    const std::string path = forwardSlashes(file);
    if (path.starts_with("<frozen ") || path.starts_with("<__array_function__") || path.starts_with("torch/")
        || path.starts_with("functorch/"))
        return true;
    // The profiler shortens the standard library's paths to the file name.
    if (path == "contextlib.py" || path == "threading.py" || path == "runpy.py")
        return true;
    if (isRecorderFile(path))
        return true;
    if (containsAny(path,
            {"/site-packages/torch/", "/dist-packages/torch/", "/pytorch/torch/", "/site-packages/functorch/",
                "/torchinductor_", "/site-packages/triton/"}))
        return true;
    if (containsAny(path, {"/site-packages/", "/dist-packages/"}))
        return false;
    // The standard library: /usr/lib/python3.12/…, C:/…/Python312/Lib/….
    return containsAny(path, {"/lib/python3", "/lib64/python3"})
        || (isWindowsPath(path) && contains(path, "/Lib/"));
}

bool isWindowsPath(std::string_view file)
{
    return file.size() > 2 && file[1] == ':' && (file[2] == '\\' || file[2] == '/');
}

bool hasWindowsPaths(const Trace& trace)
{
    for (std::uint32_t i = 0; i < trace.stacks.frameCount(); ++i)
        if (isWindowsPath(trace.text(trace.stacks.frame(FrameId(i)).file)))
            return true;
    return false;
}

bool isUserFile(std::string_view file)
{
    const std::string path = forwardSlashes(file);
    return !isLibraryFile(path) && !containsAny(path, {"/site-packages/", "/dist-packages/"})
        && !path.ends_with(".pyx");
}

} // namespace highwater
