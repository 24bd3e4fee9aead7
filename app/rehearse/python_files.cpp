#include "app/rehearse/python_files.h"

#include <array>
#include <cstdlib>
#include <fstream>

#include "app/rehearse/embedded_stand_ins.h"
#include "core/base/embedded_resource.h"

namespace highwater::rehearse {

namespace {

namespace fs = std::filesystem;

constexpr std::array kPythonFiles{"sitecustomize.py", "highwater_rehearsal.py", "highwater_reads.py",
    "highwater_functions.py", "highwater_rules.py", "highwater_labels.py", "highwater_steps.py",
    "highwater_ends.py", "highwater_known.py", "highwater_changes.py"};

} // namespace

Result<void> writeFile(const fs::path& path, std::string_view bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush())
        return fail(ErrorCode::CannotRead, path.string() + " cannot be written");
    return {};
}

Result<void> writePythonFiles(const RehearsalFolder& folder)
{
    std::error_code error;
    fs::create_directory(folder / "python", error);
    for (const char* name : kPythonFiles) {
        const auto text = embeddedResource(std::string("rehearse/") + name);
        if (Result<void> written = writeFile(folder / "python" / name, text.value_or("")); !written)
            return written;
    }
    return {};
}

Result<void> writeNvidiaSmi(const RehearsalFolder& folder)
{
    std::error_code error;
    fs::create_directory(folder / "bin", error);
    const fs::path path = folder / "bin" / "nvidia-smi";
    if (Result<void> written = writeFile(path, embeddedResource("rehearse/nvidia-smi.sh").value_or(""));
        !written)
        return written;
    fs::permissions(path, fs::perms::owner_exec, fs::perm_options::add, error);
    return {};
}

Result<std::string> writeStandIns(const RehearsalFolder& folder)
{
    const std::string path = folder / "libhighwater_simulated_gpu.so";
    if (Result<void> written = writeFile(path, embeddedStandIns()); !written)
        return tl::unexpected(written.error());
    return path;
}

Environment followingEnvironment(const RehearsalFolder& folder, const std::string& standIns)
{
    const auto prepended = [](const char* name, const std::string& entry) {
        const char* const oldValue = std::getenv(name);
        return std::string(name) + "=" + (oldValue && *oldValue ? entry + ":" + oldValue : entry);
    };
    const std::string python = folder / "python";
    return {prepended("PYTHONPATH", python), prepended("LD_PRELOAD", standIns), "HIGHWATER_FOLLOW=" + python};
}

} // namespace highwater::rehearse
