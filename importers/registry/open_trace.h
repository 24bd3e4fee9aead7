#pragma once

#include <string>

#include "importers/importer.h"

namespace highwater {

/// Opens a file, as the only function that does so: removes compression, detects the format by content (never
/// by name), and imports the file. `path` may be "-" for standard input.
Result<ImportedTrace> openTrace(const std::string& path, const ImportOptions& options);

/// Imports from a stream that is already open; also removes compression and detects the format.
Result<ImportedTrace> importTrace(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
