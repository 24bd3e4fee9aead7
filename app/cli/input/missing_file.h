#pragma once

#include <string>

namespace highwater::cli {

/// What to type where an input cannot be opened: the file of its folder that was probably meant, else the
/// commands that say what can be opened and how to record it; to be put behind the refusal. Empty: there is a
/// file of this name. O(files of the folder), of the first thousands.
std::string nextForMissing(const std::string& path);

} // namespace highwater::cli
