#include <filesystem>

#include <fmt/format.h>

#include "app/cli/agent/tools.h"
#include "app/loading/input_paths.h"

namespace highwater::cli {

namespace {

constexpr std::size_t kMaxKnown = 64;

/// Returns a text that changes with the request and with the path, size or time of any of its files.
std::string keyOf(const CommonOptions& common, const DiagnosedFiles& run)
{
    std::string key = fmt::format("rank {}, device {}, shown {}\n",
        common.rank ? std::to_string(*common.rank) : "", run.device.value_or(""), run.shown);
    for (const InputPath& file : expandInputs(run.files)) {
        std::error_code error;
        const std::filesystem::path path(file.path);
        const auto bytes = std::filesystem::file_size(path, error);
        const auto changed = std::filesystem::last_write_time(path, error).time_since_epoch().count();
        key += fmt::format("{} {} {}\n", file.path, bytes, changed);
    }
    return key;
}

} // namespace

Json KnownDiagnoses::of(const CommonOptions& common, const DiagnosedFiles& run)
{
    const std::string key = keyOf(common, run);
    if (const auto known = m_known.find(key); known != m_known.end())
        return known->second;
    if (m_known.size() >= kMaxKnown)
        m_known.clear();
    return m_known[key] = diagnosisOfRun(common, run);
}

} // namespace highwater::cli
