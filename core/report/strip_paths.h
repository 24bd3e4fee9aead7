#pragma once

#include "core/report/model/report.h"
#include "core/report/privacy/known_folders.h"

namespace highwater {

/// The document without the folders and the accounts of those who made it, for handing it on: in every string
/// of it, those in figures and notes included, paths are shortened to their last part (strip_directories.h),
/// and names of accounts that any of them gives away are "user" (user_names.h). Names of hosts, files and
/// functions stay. `folders`: of the runs, those that the rules would not see. O(text).
Report withoutPaths(Report report, const KnownFolders& folders = {});

} // namespace highwater
