#pragma once

#include <memory>

#include "core/trace/import_log.h"
#include "importers/importer.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// The table for an import: the built-in one, with the user's entries if there are any. What of these cannot
/// be used is said in the log.
std::shared_ptr<const PatternTable> patternsFor(const ImportOptions& options, ImportLog& log);

} // namespace highwater::logs
