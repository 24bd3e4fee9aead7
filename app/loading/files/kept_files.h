#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "importers/importer.h"

namespace highwater {

/// Files that a long-running command has read, so that it need not read them for each question: the last few
/// of them, as long as they stay as they are. Safe to use from several threads.
class KeptFiles
{
public:
    /// Returns nothing where the file was not read, has changed since, or was dropped.
    std::optional<ImportedTrace> find(const std::string& path);
    /// Keeps nothing of a file that changed while it was read, or just before: later changes might not show.
    void keep(const std::string& path, const ImportedTrace& imported);

    /// The files that were asked for since the last call, each once.
    std::vector<std::pair<std::string, std::shared_ptr<const Trace>>> takeUsed();

private:
    struct Kept
    {
        std::string path;
        ImportedTrace imported; ///< with the identity of the file that it was read from
    };
    void use(const std::string& path, std::shared_ptr<const Trace> trace);

    std::mutex m_mutex;
    std::deque<Kept> m_kept; ///< the latest first
    std::vector<std::pair<std::string, std::shared_ptr<const Trace>>> m_used;
};

} // namespace highwater
