#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"

namespace highwater {

/// True if the bytes begin a .hwt file.
bool sniffNative(std::string_view prefix);

/// Reads a .hwt file. Checks sizes, checksums and every id and range. A damaged file is refused completely,
/// with an error that names the damaged section.
Result<ImportedTrace> importNative(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
