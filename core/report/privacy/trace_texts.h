#pragma once

#include <string>
#include <string_view>

#include "core/report/privacy/known_folders.h"
#include "core/report/privacy/user_names.h"
#include "core/trace/trace.h"

namespace highwater {

/// The texts of a trace without folders and account names, for a file to be shared.
class TraceTexts
{
public:
    /// Learns the account names and folders that the trace's texts reveal. O(text).
    explicit TraceTexts(const Trace& trace);

    /// Returns any text with paths shortened to their last part (strip_directories.h) and account names
    /// replaced by "user".
    std::string withoutPaths(std::string_view text) const;
    /// Returns the name of a file in a stack. For libraries the part from their folder on is kept
    /// ("/site-packages/…"), and compiled code is marked ("/torchinductor_/…"): call sites use this to
    /// distinguish them from the user's code.
    std::string file(std::string_view path) const;

private:
    KnownFolders m_folders;
    UserNames m_names;
};

} // namespace highwater
