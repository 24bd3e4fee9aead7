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

/// The last few files that a long-running command has read, kept in memory so that it need not read them
/// for each question. A file is dropped when it has changed. Thread-safe.
class KeptFiles
{
public:
    /// Returns nullopt if the file was not read, has changed since, or was dropped.
    std::optional<ImportedTrace> find(const std::string& path);
    /// Keeps the file, unless it changed while it was read or shortly before. Another change within the
    /// clock resolution of the file system would not be noticed.
    void keep(const std::string& path, const ImportedTrace& imported);

    /// Returns the files that were found or kept since the last call, each path once with its latest trace.
    std::vector<std::pair<std::string, std::shared_ptr<const Trace>>> takeUsed();

private:
    struct Kept
    {
        std::string path;
        ImportedTrace imported; ///< includes the identity of the file that it was read from
    };
    void recordUse(const std::string& path, std::shared_ptr<const Trace> trace);

    std::mutex m_mutex;
    std::deque<Kept> m_kept; ///< most recently used first
    std::vector<std::pair<std::string, std::shared_ptr<const Trace>>> m_used;
};

} // namespace highwater
