#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"

namespace highwater {

/// Whether the bytes begin a .hwt file.
bool sniffNative(std::string_view prefix);

/// Reads a .hwt file. Sizes, checksums and every id and range are checked: a damaged file is refused with the
/// section that is wrong, never half used.
Result<ImportedTrace> importNative(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
