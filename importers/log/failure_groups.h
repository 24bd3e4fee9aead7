#pragma once

#include <string>
#include <vector>

#include "core/trace/log_event.h"
#include "importers/log/series/series_store.h"

namespace highwater::logs {

/// A message as it was read.
struct CollectedMessage
{
    LogEvent event;
    Writer writer;
    std::string content; ///< of an allocator's message, from the head on: identifies copies of it
    bool endsRun = false; ///< it says itself that what it is about has ended
};

/// Numbers the failures, for messages in the order of lines. Copies of one message, re-raised or in a
/// launcher's summary, and the lines in which several speakers tell of one failure share a number. The
/// figures that the others tell are added to the message that stands for the failure: the first that is
/// clear.
///
/// Example: "NCCL WARN Cuda failure 'out of memory'" and, a line later, "NCCL WARN Failed to CUDA calloc
/// 4194304 bytes" are one failure, and the first message has the 4 MiB of the second.
void groupFailures(std::vector<CollectedMessage>& messages);

/// Adds the figures of one message that another lacks.
void addMissingFigures(const LogEvent& from, LogEvent& to);

/// Makes the messages of a failure agree on its end: one that shows it counts before one that does not.
void agreeOnEnds(std::vector<CollectedMessage>& messages);

} // namespace highwater::logs
