#pragma once

#include <string>

#include "importers/importer.h"

namespace highwater {

/// The single door to a file: peels compression, tells the format by content (never by name), and imports it.
/// `path` may be "-" for standard input.
Result<ImportedTrace> openTrace(const std::string& path, const ImportOptions& options);

/// The same for a stream that is already open.
Result<ImportedTrace> importTrace(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
