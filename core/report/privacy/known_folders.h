#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// Source folders in a run's stacks that the rules of strip_directories.h could miss: those with spaces,
/// quotes or brackets in their names.
class KnownFolders
{
public:
    static constexpr std::size_t kMax = 1'000;

    /// Learns folders until `kMax` are known. O(frames).
    void learn(const Trace& trace);
    /// Returns the text with all occurrences of the learned folders removed. O(text × folders).
    std::string textWithoutFolders(std::string text) const;

private:
    void add(std::string folder);

    std::vector<std::string> m_folders; ///< With a trailing separator; longest first
};

} // namespace highwater
