#pragma once

#include "core/report/model/report.h"
#include "core/report/privacy/known_folders.h"

namespace highwater {

/// Returns the document without folders and account names, for sharing: in every string, including those in
/// figures and notes, paths are shortened to their last part (strip_directories.h), and account names found
/// in any string become "user" (user_names.h). Names of hosts, files and functions are kept. `folders` are
/// folders of the runs that the rules would miss. O(text).
Report withoutPaths(Report report, const KnownFolders& folders = {});

} // namespace highwater
