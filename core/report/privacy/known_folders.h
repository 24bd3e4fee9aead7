#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// Folders of the source files that a run's stacks name, as far as the rules of strip_directories.h could
/// take them for something else: with spaces, quotes or brackets in their names.
class KnownFolders
{
public:
    static constexpr std::size_t kMost = 1'000;

    /// Beyond `kMost` folders nothing more is learnt. O(frames).
    void learn(const Trace& trace);
    /// The text without these folders, wherever they stand in it. O(text × folders).
    std::string removedFrom(std::string text) const;

private:
    void add(std::string folder);

    std::vector<std::string> m_folders; ///< with the separator behind them; the longest first
};

} // namespace highwater
