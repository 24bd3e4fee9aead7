#pragma once

#include <string>

namespace highwater::cli {

/// Returns a hint to append to the error for an input that cannot be opened: the file of its folder that was
/// probably meant, else the commands that say what can be opened and how to record it. Empty if there is a
/// file of this name. O(files of the folder), up to the first thousands.
std::string nextForMissing(const std::string& path);

} // namespace highwater::cli
