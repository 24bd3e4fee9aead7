#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// One failure of a log: the first of the messages that tell of it.
struct LogFailure
{
    std::size_t event = 0; ///< in `Trace::logEvents`
    std::int64_t copies = 1; ///< messages, the first included
};

/// By line. O(events).
std::vector<LogFailure> logFailures(const Trace& trace);

/// "line 72, rank 0, GPU 0, during step 12 (inferred)".
std::string placeText(const LogEvent& event);

/// Who wrote a series: "rank 0, device 1", "WorkerDict pid=13908"; empty where the file does not say.
std::string writerText(const CounterSeries& series);
/// "12.5 GiB", "0.4484 s".
std::string valueText(const CounterSeries& series, double value);

/// Whether a series measures the memory of the device, and not its size or the host's memory.
bool measuresDevice(const CounterSeries& series);
/// What a log says that the device has: the largest that it writes anywhere; none: nothing.
std::optional<Bytes> loggedCapacity(const Trace& trace);

/// Whether a trace is what a log, or a file of sampled series, gives: it has no device.
bool isLog(const Trace& trace);
/// Whether its file is text that a person can read; records of experiment trackers and the own file are not.
bool hasReadableText(const Trace& trace);

} // namespace highwater
