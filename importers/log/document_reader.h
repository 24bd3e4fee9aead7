#pragma once

#include <string_view>

#include "core/trace/trace_builder.h"
#include "importers/log/log_reader.h"

namespace highwater::logs {

/// Reads the outputs of a notebook's cells as a log. Returns false if the text is not a complete dictionary;
/// the part before the error is read.
bool readNotebook(std::string_view text, LogReader& reader);

/// Reads a complete dictionary. Each dictionary in a list becomes a record (`trainer_state.json`), and the
/// first 1,000 values outside lists become settings; without such lists, the values become one record.
/// Sets the format in `metadata` if the dictionary comes from `torch.cuda.memory_stats()`. Returns false,
/// without reading anything, if the text is not exactly one dictionary.
bool readDocument(std::string_view text, LogReader& reader, TraceMetadata& metadata);

} // namespace highwater::logs
