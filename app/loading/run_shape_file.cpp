#include "app/loading/run_shape_file.h"

#include <filesystem>
#include <system_error>

#include "app/loading/configuration_file.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

namespace fs = std::filesystem;

/// Puts the name of the model's file before an error.
Error modelFileError(const std::string& path, const Error& error)
{
    return {error.code, "\"model\" " + quotedText(path) + ": " + error.message, error.place};
}

/// Reads the model's file; the path may be that of a folder, and is relative to `folder`.
Result<ModelShape> loadModel(const fs::path& folder, const std::string& modelPath)
{
    fs::path path = folder / fs::path(modelPath);
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        path /= "config.json";
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
        return fail(ErrorCode::CannotRead, "\"model\" " + quotedText(modelPath) + ": is not a regular file");
    const auto entries = loadConfiguration(path.string());
    if (!entries)
        return tl::unexpected(modelFileError(modelPath, entries.error()));
    return parseModelShape(*entries).map_error(
        [&modelPath](const Error& error) { return modelFileError(modelPath, error); });
}

} // namespace

Result<RunShape> loadRunShape(const std::string& path)
{
    const auto entries = loadConfiguration(path);
    if (!entries)
        return tl::unexpected(entries.error());
    const std::string modelPath = findModelPath(*entries);
    if (modelPath.empty())
        return parseRunShape(*entries);
    // The name always gets a folder in front: "-" alone would mean standard input.
    const fs::path folder = fs::path(path).parent_path();
    const Result<ModelShape> model = loadModel(folder.empty() ? fs::path(".") : folder, modelPath);
    if (!model)
        return tl::unexpected(model.error());
    return parseRunShape(*entries, *model);
}

} // namespace highwater
