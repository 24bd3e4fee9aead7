#include "app/cli/input/missing_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "core/base/text/near_text.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxNames = 4096;

std::vector<std::string> namesIn(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error);
    for (; !error && entry != fs::directory_iterator() && names.size() < kMaxNames; entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::ranges::sort(names);
    return names;
}

} // namespace

std::string hintForMissingFile(const std::string& path)
{
    std::error_code error;
    if (path == "-" || fs::symlink_status(path, error).type() != fs::file_type::not_found)
        return {};
    const fs::path file(path);
    if (const auto meant = nearestText(file.filename().string(), namesIn(file.parent_path())))
        return "; did you mean " + sanitizedText((file.parent_path() / *meant).string()) + "?";
    return {};
}

} // namespace highwater::cli
