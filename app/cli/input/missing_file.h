#pragma once

#include <string>

namespace highwater::cli {

/// Returns a hint to append to the error about an input that cannot be opened: the name in the same folder
/// that was probably meant. Empty if there is none, if the path exists, and for "-". O(n log n) for n names
/// in the folder, of which at most 4,096 are read.
std::string hintForMissingFile(const std::string& path);

} // namespace highwater::cli
