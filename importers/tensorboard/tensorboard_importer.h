#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"

namespace highwater {

/// Whether the content begins like an event file of TensorBoard.
bool sniffTensorBoard(std::string_view prefix);

/// Reads `events.out.tfevents.…`: every scalar tag becomes a series that carries the tag's name. Units follow
/// from the table of log patterns; tags that it does not know are bare numbers.
Result<ImportedTrace> importTensorBoard(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
