#include "core/report/strip_paths.h"

#include "core/report/privacy/report_texts.h"
#include "core/report/privacy/strip_directories.h"
#include "core/report/privacy/user_names.h"

namespace highwater {

Report withoutPaths(Report report)
{
    UserNames names;
    forEachText(report, [&](std::string& text) { names.learn(text); });
    forEachText(report, [&](std::string& text) { text = names.replaced(withoutDirectories(text)); });
    return report;
}

} // namespace highwater
