#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "importers/importer.h"

namespace highwater::cli {

/// Files that a long-running command has read, so that it need not read them for each question: the last few
/// of them, as long as they stay as they are. Safe to use from several threads.
class KeptInputs
{
public:
    /// None: it was not read, has changed since, or was dropped.
    std::optional<ImportedTrace> find(const std::string& path);
    void keep(const std::string& path, const ImportedTrace& imported);

    /// The files that were asked for since the last call, each once.
    std::vector<std::pair<std::string, std::shared_ptr<const Trace>>> takeUsed();

private:
    /// By which a changed file is told.
    struct Version
    {
        std::uint64_t device = 0;
        std::uint64_t file = 0;
        std::uint64_t bytes = 0;
        std::int64_t changed = 0; ///< nanoseconds
        bool operator==(const Version&) const = default;
    };
    struct Kept
    {
        std::string path;
        Version version;
        ImportedTrace imported;
    };
    static std::optional<Version> versionOf(const std::string& path);
    void use(const std::string& path, std::shared_ptr<const Trace> trace);

    std::mutex m_mutex;
    std::deque<Kept> m_kept; ///< the latest first
    std::vector<std::pair<std::string, std::shared_ptr<const Trace>>> m_used;
};

} // namespace highwater::cli
