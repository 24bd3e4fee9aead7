#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater {

/// Whether the content is text, judged by its beginning: valid UTF-8 but for a few bytes, few control bytes,
/// or UTF-16 with its mark. Any text is a log, so this comes after all other formats.
bool sniffLog(std::string_view prefix);

/// Reads any text as a log: lines of the pattern table (`resources/log-patterns.json` and the user's own),
/// notebooks, JSON documents and tables of comma-separated values. Text without figures gives a trace without
/// series and the entry "no-memory-figures".
Result<ImportedTrace> importLog(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
