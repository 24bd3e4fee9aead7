#pragma once

#include <string>
#include <vector>

#include "core/run/category_rules.h"

namespace highwater {

/// The user's category rules from a JSON file (`parseCategoryRules`). Fails with CannotRead, with
/// LimitExceeded for more than a mebibyte, or with what is wrong with the rules.
Result<std::vector<CategoryRule>> loadCategoryRules(const std::string& path);

} // namespace highwater
