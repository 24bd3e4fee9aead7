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
    std::string content; ///< text of an allocator's message from its head on, which identifies copies
    bool endsRun = false; ///< the message itself reports that its process has ended
};

/// Numbers the failures, for messages in line order. Messages about one failure share a number: copies
/// (re-raised, or in a launcher's summary), and lines of several speakers. The main message of a failure is
/// the first clear one, else the first; figures from the others, except copies, are added to it.
///
/// Example: "NCCL WARN Cuda failure 'out of memory'" and, a line later, "NCCL WARN Failed to CUDA calloc
/// 4194304 bytes" are one failure, and the first message gets the 4 MiB of the second.
void groupFailures(std::vector<CollectedMessage>& messages);

/// Adds the figures that `target` lacks and `source` has, except those of other processes.
void addMissingFigures(const LogEvent& source, LogEvent& target);

/// Gives all messages of a failure the same `fatal`. True overrides false, and either overrides unknown.
void unifyOutcomes(std::vector<CollectedMessage>& messages);

} // namespace highwater::logs
