#pragma once

#include <string>
#include <string_view>

#include "core/report/model/report.h"

namespace highwater {

/// Returns the text with every home folder in it replaced by "~": /home/NAME, /Users/NAME, C:\Users\NAME, but
/// not the accounts Shared and Public. A web address that contains such a path is kept. O(text).
std::string withShortHomes(std::string_view text);

/// Returns the document with short homes in every string, including those in figures and notes. O(text).
Report withShortHomes(Report report);

} // namespace highwater
