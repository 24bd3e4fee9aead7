#include "core/analysis/stacks/source_files.h"

#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// True for a file in Inductor's cache, which is named by the hash of its content and is in a folder named by
/// the start of the hash: "…/fv/cfvyrmq….py".
bool isNamedByHash(std::string_view path)
{
    constexpr std::size_t hashLength = 51;
    std::string_view name = sourceFileName(path);
    if (!name.ends_with(".py"))
        return false;
    name.remove_suffix(3);
    return name.size() == hashLength + 1 && name.starts_with('c')
        && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567") == std::string_view::npos
        && contains(path, "/" + std::string(name.substr(1, 2)) + "/" + std::string(name));
}

} // namespace

bool isRecorderFile(std::string_view path)
{
    return contains(path, "/highwater-rehearsal-") || path.ends_with("/record_memory.py")
        || contains(path, "/highwater_gpu/");
}

bool isCompiledFile(std::string_view path)
{
    const std::string_view name = sourceFileName(path);
    return contains(path, "/torchinductor_") || name.starts_with("fx_generated_")
        || name.starts_with("<eval_with_key>") || isNamedByHash(path);
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
    if (isRecorderFile(path) || isCompiledFile(path))
        return true;
    if (containsAny(path,
            {"/site-packages/torch/", "/dist-packages/torch/", "/pytorch/torch/", "/site-packages/functorch/",
                "/site-packages/triton/"}))
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
