#pragma once

#include <string>
#include <string_view>

#include "core/report/privacy/known_folders.h"
#include "core/report/privacy/user_names.h"
#include "core/trace/trace.h"

namespace highwater {

/// The texts of a trace without folders and account names, for a file that is passed on.
class TraceTexts
{
public:
    /// Learns the account names and folders that the trace's texts reveal. O(text).
    explicit TraceTexts(const Trace& trace);

    /// Any text: paths are shortened to their last part (strip_directories.h), account names become "user".
    std::string withoutPaths(std::string_view text) const;
    /// The name of a file of a stack: of libraries the part from their folder is kept ("/site-packages/…"),
    /// by which call sites tell them from the user's code.
    std::string file(std::string_view path) const;

private:
    KnownFolders m_folders;
    UserNames m_names;
};

} // namespace highwater
