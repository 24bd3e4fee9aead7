#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/category_rules.h"

namespace highwater::cli {

/// The user's rules (`--rules FILE`); none where the path is empty.
Result<std::vector<CategoryRule>> rulesFrom(const std::string& path);

/// Prints why the rules cannot be used; the exit code.
int rulesError(const std::string& path, const Error& error);

} // namespace highwater::cli
