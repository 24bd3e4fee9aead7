#include "app/cli/agent/granted_folders.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/loading/input_paths.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;

/// Returns the failure "PATH: WHY".
tl::unexpected<Error> refusal(const std::string& path, std::string_view why)
{
    return fail(ErrorCode::BadRequest, fmt::format("{}: {}", sanitizedText(path), why));
}

constexpr std::string_view kOutside = "is outside the folders that may be read";

} // namespace

Result<GrantedFolders> GrantedFolders::of(const std::vector<std::string>& folders)
{
    GrantedFolders granted;
    for (const std::string& folder : folders) {
        std::error_code error;
        const fs::path resolved = fs::canonical(folder, error);
        if (error || !fs::is_directory(resolved, error))
            return fail(ErrorCode::CannotRead, fmt::format("{}: is not a folder", sanitizedText(folder)));
        granted.m_folders.push_back(resolved.string());
    }
    return granted;
}

bool GrantedFolders::isReadable(const std::string& path) const
{
    return std::ranges::any_of(m_folders, [&](const std::string& folder) {
        return path == folder || folder == "/" || path.starts_with(folder + "/");
    });
}

Result<std::string> GrantedFolders::resolveAbsolute(const std::string& path, const std::string& shown) const
{
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(path, error);
    if (error || !isReadable(resolved.string()))
        return refusal(shown, kOutside);
    const fs::file_status status = fs::status(resolved, error);
    if (!fs::exists(status))
        return refusal(shown, "does not exist");
    if (!fs::is_directory(status) && !fs::is_regular_file(status))
        return refusal(shown, "is neither a file nor a folder");
    return resolved.string();
}

Result<std::string> GrantedFolders::resolveAny(const std::string& path) const
{
    if (path.empty() || path.find('\0') != std::string::npos)
        return fail(ErrorCode::BadRequest, "a path is missing");
    if (fs::path(path).is_absolute())
        return resolveAbsolute(path, path);
    Result<std::string> resolved = refusal(path, kOutside);
    for (const std::string& folder : m_folders) {
        Result<std::string> candidate = resolveAbsolute((fs::path(folder) / path).string(), path);
        if (candidate)
            return candidate;
        if (resolved.error().message.find(kOutside) != std::string::npos)
            resolved = std::move(candidate); // an error inside the folders is more informative
    }
    return resolved;
}

Result<std::string> GrantedFolders::withCheckedEntries(
    const std::string& path, const std::string& resolved) const
{
    for (const InputPath& file : expandInputs({resolved})) {
        std::error_code error;
        const fs::path target = fs::canonical(file.path, error);
        if (error || !isReadable(target.string()))
            return refusal(path,
                fmt::format("its entry {} leads outside the folders that may be read; name the files instead",
                    sanitizedText(fs::path(file.path).filename().string())));
    }
    return resolved;
}

Result<std::string> GrantedFolders::resolve(const std::string& path) const
{
    Result<std::string> resolved = resolveAny(path);
    return resolved ? withCheckedEntries(path, *resolved) : resolved;
}

Result<std::string> GrantedFolders::resolveFolder(const std::string& path) const
{
    Result<std::string> resolved = resolveAny(path);
    std::error_code error;
    if (resolved && !fs::is_directory(*resolved, error))
        return refusal(path, "is not a folder");
    return resolved;
}

} // namespace highwater::cli
