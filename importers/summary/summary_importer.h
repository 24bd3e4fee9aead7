#pragma once

#include <memory>

#include "importers/importer.h"

namespace highwater {

/// Reads a .hws file (`readSummary`) as a trace (`buildSummaryTrace`).
Result<ImportedTrace> importSummary(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
