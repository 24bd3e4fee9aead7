#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/matching/file_classes.h"

namespace highwater {

/// Names the files that are compared as one, in full sentences: "train_old.py and train_fixed.py are compared
/// as one file (same functions, 96% of the allocations match)." Up to three pairs with different names get a
/// sentence each, further ones are counted; one more sentence is about files that are only in another folder.
/// Empty if there are no pairs.
std::vector<std::string> joinedFileSentences(const std::vector<JoinedFile>& joinedFiles);

} // namespace highwater
