#pragma once

#include <string_view>

#include "core/trace/trace_builder.h"
#include "importers/log/log_reader.h"

namespace highwater::logs {

/// Reads the outputs of a notebook's cells as a log. False: the text is not a complete dictionary; what
/// precedes the error is read.
bool readNotebook(std::string_view text, LogReader& reader);

/// Reads one dictionary as a whole: a list of dictionaries in it is one record after the other
/// (`trainer_state.json`), the rest is one record. Sets the format if the dictionary comes from
/// `torch.cuda.memory_stats()`. False: the text is something else, and nothing was read.
bool readDocument(std::string_view text, LogReader& reader, TraceMetadata& metadata);

} // namespace highwater::logs
