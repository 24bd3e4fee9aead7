#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/matching/file_classes.h"

namespace highwater {

/// Which files are taken for one, in full sentences: "train_old.py is taken for train_fixed.py: same
/// functions, 96 % of the allocations." for up to three files with other names, and one sentence for those
/// that are only in another folder. Empty where all paths are the same.
std::vector<std::string> takenFileSentences(const std::vector<TakenFile>& taken);

} // namespace highwater
