#include "app/cli/rules_option.h"

#include "app/cli/exit_code.h"
#include "app/cli/inputs.h"
#include "app/loading/rules_file.h"

namespace highwater::cli {

Result<std::vector<CategoryRule>> rulesFrom(const std::string& path)
{
    return path.empty() ? std::vector<CategoryRule>() : loadCategoryRules(path);
}

int rulesError(const std::string& path, const Error& error)
{
    printError(path, error);
    return error.code == ErrorCode::CannotRead ? CannotRead : WrongUsage;
}

} // namespace highwater::cli
