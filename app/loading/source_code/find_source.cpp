#include "app/loading/source_code/find_source.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/analysis/stacks/call_site.h"
#include "core/base/interruption.h"
#include "core/base/text_parts.h"
#include "importers/source/file_source.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxEntries = 50'000;
constexpr int kDeepestFolder = 16;

/// The file with the longest common tail so far; the one with the fewest folders if several have it.
class BestSource
{
public:
    explicit BestSource(std::string recordedPath)
        : m_recordedPath(std::move(recordedPath))
    {
    }

    void add(const std::string& path)
    {
        const Closeness closeness{commonTail(path, m_recordedPath), -std::ranges::count(path, '/')};
        if (closeness < m_closeness || !isStoredFile(path))
            return;
        m_isTied = closeness == m_closeness;
        m_closeness = closeness;
        m_path = path;
    }

    std::optional<std::string> path() const
    {
        const bool isEnough = m_closeness.first > 1 || (m_closeness.first == 1 && isUserFile(m_recordedPath));
        return isEnough && !m_isTied ? std::optional(m_path) : std::nullopt;
    }

private:
    using Closeness = std::pair<std::size_t, std::ptrdiff_t>; ///< (common tail, minus the number of folders)

    std::string m_recordedPath;
    std::string m_path;
    Closeness m_closeness;
    bool m_isTied = false;
};

bool isSkippedFolder(const std::string& name)
{
    return name.starts_with('.') || name == "__pycache__" || name == "node_modules";
}

/// Calls `visit` with the path of each entry that has this file name, in no particular order.
template <typename Visit>
void visitNamed(const std::string& folder, std::string_view name, const Visit& visit)
{
    std::error_code error;
    fs::recursive_directory_iterator position(folder, fs::directory_options::skip_permission_denied, error);
    for (int entries = 0; !error && position != fs::recursive_directory_iterator() && entries < kMaxEntries;
         position.increment(error), ++entries) {
        interruptionPoint();
        const std::string entry = position->path().filename().string();
        if (entry == name)
            visit(position->path().string());
        std::error_code unknown; // an entry that cannot be examined is not a folder
        if (position->is_directory(unknown) && (isSkippedFolder(entry) || position.depth() >= kDeepestFolder))
            position.disable_recursion_pending();
    }
}

} // namespace

std::size_t commonTail(std::string_view left, std::string_view right)
{
    std::size_t count = 0;
    while (!left.empty() && !right.empty()) {
        const std::size_t leftSlash = left.rfind('/');
        const std::size_t rightSlash = right.rfind('/');
        const std::string_view name = left.substr(leftSlash + 1); // npos + 1 is 0
        if (name.empty() || name != right.substr(rightSlash + 1))
            break;
        ++count;
        left = left.substr(0, leftSlash == std::string_view::npos ? 0 : leftSlash);
        right = right.substr(0, rightSlash == std::string_view::npos ? 0 : rightSlash);
    }
    return count;
}

std::optional<std::string> findSourceBelow(const std::string& folder, std::string_view recordedPath)
{
    const std::string recorded = forwardSlashes(recordedPath);
    const std::string_view name = sourceFileName(recorded);
    if (folder.empty() || name.empty() || name == "." || name == "..")
        return std::nullopt;
    BestSource best(recorded);
    visitNamed(folder, name, [&best](const std::string& path) { best.add(path); });
    return best.path();
}

std::optional<std::string> findSourceFile(std::string_view recordedPath, const std::string& folder)
{
    // Two slashes name another machine, which would be asked for the file.
    const bool isLocal = recordedPath.starts_with('/') && !recordedPath.starts_with("//");
    if (isLocal && isStoredFile(std::string(recordedPath)))
        return std::string(recordedPath);
    return findSourceBelow(folder, recordedPath);
}

} // namespace highwater
