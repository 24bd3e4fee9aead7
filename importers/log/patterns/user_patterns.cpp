#include "importers/log/patterns/user_patterns.h"

#include "core/base/text_format.h"
#include "importers/log/patterns/pattern_table_reader.h"

namespace highwater::logs {

std::shared_ptr<const PatternTable> patternsFor(const ImportOptions& options, ImportLog& log)
{
    const std::shared_ptr<const PatternTable> builtIn(&builtInPatterns(), [](const PatternTable*) {});
    if (options.logPatterns.empty())
        return builtIn;
    std::vector<std::string> refused;
    Result<PatternTable> table = patternsWith(options.logPatterns, refused);
    if (!table) {
        log.add(Severity::Warning, "log-patterns", table.error().message);
        return builtIn;
    }
    for (std::size_t i = 0; i < refused.size(); ++i) // a separate code for each, so that none hides another
        log.add(Severity::Warning, i == 0 ? "log-pattern" : "log-pattern-" + std::to_string(i + 1),
            "a log pattern is not used: " + sanitizedText(refused[i]));
    return std::make_shared<const PatternTable>(std::move(*table));
}

} // namespace highwater::logs
