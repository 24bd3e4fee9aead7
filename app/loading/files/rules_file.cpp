#include "app/loading/files/rules_file.h"

#include "app/loading/files/small_file.h"

namespace highwater {

Result<std::vector<CategoryRule>> loadCategoryRules(const std::string& path)
{
    return readSmallFile(path, "exceeds the limit for category rules (1 MiB)")
        .and_then([](const std::string& text) { return parseCategoryRules(text); });
}

} // namespace highwater
