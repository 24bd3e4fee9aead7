#include "app/cli/input/rules_option.h"

#include "app/cli/console/exit_code.h"
#include "app/cli/input/inputs.h"
#include "app/loading/files/rules_file.h"

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
