#pragma once

#include <string>

#include "importers/importer.h"

namespace highwater {

/// Imports a file: removes compression and detects the format by content, never by name. `path` may be "-"
/// for standard input. Fails with CannotRead if the file cannot be opened, with UnknownFormat and what the
/// content apparently is, or with the importer's error.
Result<ImportedTrace> openTrace(const std::string& path, const ImportOptions& options);

/// Imports like `openTrace` from a stream that is already open. Leaves the result's `fileBytes` and `file`
/// unset.
Result<ImportedTrace> importTrace(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
