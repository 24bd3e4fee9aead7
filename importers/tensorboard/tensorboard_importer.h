#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"

namespace highwater {

/// True if the content begins like a TensorBoard event file.
bool sniffTensorBoard(std::string_view prefix);

/// Reads `events.out.tfevents.…`: every scalar tag becomes a series with the tag's name. The table of log
/// patterns provides the units; unknown tags are numbers without a unit.
Result<ImportedTrace> importTensorBoard(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
