#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater {

/// True if the content looks like text from its beginning: UTF-8 in which at most 2% of the bytes are invalid
/// or unusual control characters, or UTF-16 with a byte order mark. Any text is a log, so this is tried after
/// all other formats.
bool sniffLog(std::string_view prefix);

/// Reads any text as a log: lines that match the pattern table (`resources/log-patterns.json` and the user's
/// own), notebooks, JSON documents and CSV tables. Text without memory figures gives the entry
/// "no-memory-figures" in the import log.
Result<ImportedTrace> importLog(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
