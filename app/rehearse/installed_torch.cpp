#include "app/rehearse/installed_torch.h"

#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "app/rehearse/child_process.h"
#include "core/base/json.h"

namespace highwater::rehearse {

namespace {

using Json = nlohmann::json;

/// Prints what is installed as one line of JSON. version.py of PyTorch has no imports but typing. The folder
/// it runs in is not searched: a script there may have the name of a module.
constexpr const char* kProbe = R"(
import sys
sys.path = [folder for folder in sys.path if folder]
import importlib.metadata, importlib.util, json, os, re, runpy
found = {}
spec = importlib.util.find_spec('torch')
if spec and spec.submodule_search_locations:
    folder = list(spec.submodule_search_locations)[0]
    version = runpy.run_path(os.path.join(folder, 'version.py'))
    found = {'python': sys.executable, 'folder': folder, 'version': str(version.get('__version__')),
             'cuda': version.get('cuda'), 'hip': version.get('hip'), 'needs': {}}
    try:
        for line in importlib.metadata.requires('torch') or []:
            match = re.match(r'nvidia-(cudnn|nccl)\S*==([0-9.]+)', line)
            if match:
                found['needs'][match[1]] = match[2]
    except importlib.metadata.PackageNotFoundError:
        pass
    def skips(name):
        return name in ('nvidia', '__pycache__', 'numpy.libs', 'scipy.libs', 'include', 'test')
    found['libraries'] = libraries = []
    for root, folders, files in os.walk(os.path.dirname(folder)):
        folders[:] = [name for name in folders if not skips(name)]
        libraries += [os.path.join(root, name) for name in files if '.so' in name]
print('highwater-probe:' + json.dumps(found))
)";

/// The path of a program, by PATH where the name has no folder; empty: there is none.
std::string programPath(const std::string& name)
{
    if (name.find('/') != std::string::npos)
        return ::access(name.c_str(), X_OK) == 0 ? name : std::string();
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string candidate = std::string(rest.substr(0, end)) + "/" + name;
        if (end > 0 && ::access(candidate.c_str(), X_OK) == 0)
            return candidate;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

bool isPython(std::string_view path)
{
    return path.substr(path.find_last_of('/') + 1).starts_with("python");
}

/// Of "#!/usr/bin/env python3" and "#!/venv/bin/python": the interpreter; empty: something else.
std::string interpreterOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string line(256, '\0');
    file.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<std::size_t>(file.gcount()));
    line.resize(std::min(line.find('\n'), line.size()));
    if (!line.starts_with("#!"))
        return {};
    const std::size_t lastWord = line.find_last_of(" \t!");
    std::string interpreter = line.substr(lastWord + 1);
    return isPython(interpreter) ? programPath(interpreter) : std::string();
}

Result<std::string> pythonOf(const std::string& firstWord)
{
    const std::string path = programPath(firstWord);
    if (path.empty())
        return fail(ErrorCode::BadRequest, firstWord + " is not found");
    if (isPython(path))
        return path;
    std::string interpreter = interpreterOf(path);
    if (interpreter.empty())
        return fail(ErrorCode::BadRequest, firstWord + " is neither Python nor a script of Python");
    return interpreter;
}

/// "12.4" → 12040, "9.1.0.70" with three places → 90100; 0: something else.
int versionNumber(const std::string& text, int first, int second, int third)
{
    int parts[3] = {};
    if (std::sscanf(text.c_str(), "%d.%d.%d", &parts[0], &parts[1], &parts[2]) < 2)
        return 0;
    return parts[0] * first + parts[1] * second + parts[2] * third;
}

Result<InstalledTorch> fromProbe(const Json& found)
{
    if (!found.contains("folder"))
        return fail(
            ErrorCode::BadRequest, "this Python has no PyTorch: pip install --no-deps torch is enough");
    InstalledTorch torch;
    torch.python = found.at("python").get<std::string>();
    torch.folder = found.at("folder").get<std::string>();
    torch.version = found.at("version").get<std::string>();
    if (!found.at("cuda").is_string())
        return fail(ErrorCode::BadRequest,
            fmt::format(
                "PyTorch {} is a build without CUDA: a rehearsal needs the one that the GPU would run",
                torch.version));
    const auto cuda = found.at("cuda").get<std::string>();
    torch.cudaVersion = versionNumber(cuda, 1000, 10, 0);
    if (torch.cudaVersion / 1000 != 12 && torch.cudaVersion / 1000 != 13)
        return fail(ErrorCode::BadRequest,
            fmt::format(
                "PyTorch {} is built for CUDA {}: the stand-ins know 12 and 13", torch.version, cuda));
    const Json& needs = found.at("needs");
    torch.cudnnVersion = versionNumber(needs.value("cudnn", ""), 10000, 100, 1);
    torch.ncclVersion = versionNumber(needs.value("nccl", ""), 10000, 100, 1);
    torch.libraries = found.at("libraries").get<std::vector<std::string>>();
    return torch;
}

} // namespace

Result<InstalledTorch> findInstalledTorch(const std::vector<std::string>& command)
{
    const Result<std::string> python = pythonOf(command.front());
    if (!python)
        return tl::unexpected(python.error());
    const Result<std::string> output = outputOf({*python, "-c", kProbe});
    if (!output)
        return tl::unexpected(output.error());
    const std::string mark = "highwater-probe:";
    const std::size_t begin = output->rfind(mark);
    const Json found = begin == std::string::npos ? Json() : parseJson(output->substr(begin + mark.size()));
    try {
        if (found.is_object())
            return fromProbe(found);
    } catch (const Json::exception&) { // an entry that is missing or of another type
    }
    return fail(ErrorCode::BadRequest, *python + " does not say what is installed");
}

} // namespace highwater::rehearse
