#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"

namespace highwater {

/// True if the bytes begin a .hwt file.
bool sniffNative(std::string_view prefix);

/// Reads a .hwt file. Checks sizes, checksums and every id and range. Refuses a damaged or cut-off file and
/// one of a newer version; returns no part of it.
Result<ImportedTrace> importNative(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
