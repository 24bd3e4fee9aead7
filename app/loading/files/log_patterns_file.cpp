#include "app/loading/files/log_patterns_file.h"

#include <cstdlib>
#include <filesystem>

#include "app/loading/files/small_file.h"

namespace highwater {

namespace {

/// Returns the user's folder for this program's files; empty if the environment names none.
std::filesystem::path configurationFolder()
{
    if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder && *folder)
        return std::filesystem::path(folder) / "highwater";
    if (const char* home = std::getenv("HOME"); home && *home)
        return std::filesystem::path(home) / ".config" / "highwater";
    return {};
}

} // namespace

Result<std::string> loadLogPatterns(const std::string& path)
{
    return readSmallFile(path, "exceeds the limit for log patterns (1 MiB)");
}

std::string usersLogPatterns()
{
    const std::filesystem::path folder = configurationFolder();
    std::error_code none;
    if (folder.empty() || !std::filesystem::exists(folder / "log-patterns.json", none))
        return {};
    return loadLogPatterns((folder / "log-patterns.json").string()).value_or(std::string());
}

} // namespace highwater
