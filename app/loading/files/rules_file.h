#pragma once

#include <string>
#include <vector>

#include "core/run/category_rules.h"

namespace highwater {

/// Reads the user's category rules from a JSON file (`parseCategoryRules`). Fails with CannotRead, with
/// LimitExceeded above one mebibyte, or with the problem in the rules.
Result<std::vector<CategoryRule>> loadCategoryRules(const std::string& path);

} // namespace highwater
