#include "app/rehearse/installed_torch.h"

#include <fmt/format.h>

#include "app/rehearse/child_process.h"
#include "app/rehearse/command_python.h"
#include "core/base/json.h"

namespace highwater::rehearse {

namespace {

using Json = nlohmann::json;

/// Prints what is installed as one line of JSON. PyTorch's version.py imports nothing but typing. The working
/// folder is not searched, since a script there may have the name of a module.
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

/// Returns the sum of a version's first three numbers, each times its factor: 12040 for "12.4" with 1000 and
/// 10, 90100 for "9.1.0.70" with 10000, 100 and 1. Returns 0 for texts without two numbers.
int versionNumber(const std::string& text, int first, int second, int third)
{
    int parts[3] = {};
    if (std::sscanf(text.c_str(), "%d.%d.%d", &parts[0], &parts[1], &parts[2]) < 2)
        return 0;
    return parts[0] * first + parts[1] * second + parts[2] * third;
}

/// Checks what the probe has found. Fails with BadRequest if it cannot be rehearsed.
Result<InstalledTorch> fromProbe(const Json& found)
{
    if (!found.contains("folder"))
        return fail(
            ErrorCode::BadRequest, "this Python has no PyTorch; pip install --no-deps torch is enough");
    InstalledTorch torch;
    torch.python = found.at("python").get<std::string>();
    torch.folder = found.at("folder").get<std::string>();
    torch.version = found.at("version").get<std::string>();
    if (!found.at("cuda").is_string())
        return fail(ErrorCode::BadRequest,
            fmt::format(
                "PyTorch {} is a build without CUDA; a rehearsal needs the build that the GPU would run",
                torch.version));
    const auto cuda = found.at("cuda").get<std::string>();
    torch.cudaVersion = versionNumber(cuda, 1000, 10, 0);
    if (torch.cudaVersion / 1000 != 12 && torch.cudaVersion / 1000 != 13)
        return fail(ErrorCode::BadRequest,
            fmt::format(
                "PyTorch {} is built for CUDA {}; a rehearsal supports 12 and 13", torch.version, cuda));
    const Json& needs = found.at("needs");
    torch.cudnnVersion = versionNumber(needs.value("cudnn", ""), 10000, 100, 1);
    torch.ncclVersion = versionNumber(needs.value("nccl", ""), 10000, 100, 1);
    torch.libraries = found.at("libraries").get<std::vector<std::string>>();
    return torch;
}

} // namespace

Result<InstalledTorch> findInstalledTorch(const std::vector<std::string>& command)
{
    const Result<std::string> python = findPython(command);
    if (!python)
        return tl::unexpected(python.error());
    const Result<std::string> output = captureOutput({*python, "-c", kProbe});
    if (!output)
        return tl::unexpected(output.error());
    const std::string mark = "highwater-probe:";
    const std::size_t begin = output->rfind(mark);
    const Json found = begin == std::string::npos ? Json() : parseJson(output->substr(begin + mark.size()));
    try {
        if (found.is_object())
            return fromProbe(found);
    } catch (const Json::exception&) { // an entry is missing or has another type
    }
    return fail(ErrorCode::BadRequest, *python + " does not report what is installed");
}

} // namespace highwater::rehearse
