#include <algorithm>
#include <filesystem>

#include "app/cli/agent/tools.h"
#include "app/cli/console/refusal.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;

/// Lists the files and folders in a folder by name, without hidden ones and those that lead out of the
/// granted folders.
Json entriesOf(const ToolContext& context, const std::string& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (const std::string name = entry->path().filename().string(); !name.starts_with('.'))
            names.push_back(name);
    std::ranges::sort(names);
    Json entries = Json::array();
    for (const std::string& name : names) {
        const fs::path path = fs::path(folder) / name;
        const fs::path target = fs::canonical(path, error);
        if (error || !context.folders.isReadable(target.string()))
            continue;
        if (fs::is_directory(target, error))
            entries.push_back({{"name", name}, {"kind", "folder"}});
        else if (fs::is_regular_file(target, error))
            entries.push_back({{"name", name}, {"kind", "file"}, {"bytes", fs::file_size(target, error)}});
    }
    return entries;
}

} // namespace

ToolDocument filesDocument(const ToolContext& context, const ToolArguments& arguments)
{
    std::vector<std::string> folders = context.folders.folders();
    if (const auto requested = arguments.text("folder")) {
        const Result<std::string> folder = context.folders.resolveFolder(*requested);
        if (!folder)
            throw Refusal{"", folder.error()};
        folders = {*folder};
    }
    Json rows = Json::array();
    for (const std::string& folder : folders)
        rows.push_back({{"folder", folder}, {"entries", entriesOf(context, folder)}});
    return {Json{{"folders", rows}}, {}};
}

} // namespace highwater::cli
