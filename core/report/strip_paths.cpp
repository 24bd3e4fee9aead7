#include "core/report/strip_paths.h"

#include "core/report/privacy/report_texts.h"
#include "core/report/privacy/strip_directories.h"
#include "core/report/privacy/user_names.h"

namespace highwater {

Report withoutPaths(Report report, const KnownFolders& folders)
{
    UserNames names;
    forEachText(report, [&](std::string& text) { names.learn(text); });
    forEachText(report, [&](std::string& text) {
        text = names.replaced(withoutDirectories(folders.textWithoutFolders(std::move(text))));
    });
    return report;
}

} // namespace highwater
