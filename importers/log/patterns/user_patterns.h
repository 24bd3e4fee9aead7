#pragma once

#include <memory>

#include "core/trace/import_log.h"
#include "importers/importer.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// Returns the pattern table for an import: the built-in one plus the user's entries, if any. Reports entries
/// that cannot be used in the import log, and returns the built-in table if the whole text cannot be used.
std::shared_ptr<const PatternTable> patternsFor(const ImportOptions& options, ImportLog& log);

} // namespace highwater::logs
