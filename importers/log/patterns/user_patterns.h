#pragma once

#include <memory>

#include "core/trace/import_log.h"
#include "importers/importer.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// Returns the pattern table for an import: the built-in one plus the user's entries, if any. Reports invalid
/// entries in the import log.
std::shared_ptr<const PatternTable> patternsFor(const ImportOptions& options, ImportLog& log);

} // namespace highwater::logs
