#pragma once

#include <memory>

#include "importers/importer.h"

namespace highwater {

/// Reads a .hws file as a trace (`traceOfSummary`), for all views of a single recording.
Result<ImportedTrace> importSummary(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
