#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"

namespace highwater {

/// Whether the bytes begin a .hwt file.
bool sniffNative(std::string_view prefix);

/// Reads a .hwt file. Sizes, checksums and every id and range are checked: a damaged file is refused as a
/// whole, naming the damaged section.
Result<ImportedTrace> importNative(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
