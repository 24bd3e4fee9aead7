#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// One failure in a log, represented by one of the messages about it.
struct LogFailure
{
    std::size_t event = 0; ///< index into `Trace::logEvents`
    std::int64_t copies = 1; ///< number of messages, including this one
};

/// Returns the failed allocations on devices, by line. Costs as much as `failuresOfEveryKind`.
std::vector<LogFailure> logFailures(const Trace& trace);
/// True for a warning that a setting has no effect: the run goes on without it.
bool isSettingWarning(const LogEvent& event);
/// Returns the failures of every kind, by line. Each is represented by its first message, or by the first
/// clear one if that message is unclear. A message that passes on the error of a worker counts as a copy of
/// the failure after it. O(events + failures × log failures).
std::vector<LogFailure> failuresOfEveryKind(const Trace& trace);

/// The first clear memory failure of a log that may have ended it, and what follows from it: the launcher
/// kills the other processes, and ranks wait for the failed one until a time limit.
class MemoryFailureEnd
{
public:
    /// O(events + points).
    explicit MemoryFailureEnd(const Trace& log);
    /// True if the failure explains this event: another failure that is unclear, or a wait, after it and
    /// before work has gone on.
    bool explains(const LogEvent& event) const;

private:
    std::uint64_t m_line = 0; ///< of the failure; 0 if there is none
    std::uint64_t m_workLine = 0; ///< the first line that shows that work has gone on; 0 if none does
    std::int64_t m_failure = LogEvent::kNoFailure;
};

/// Failures of one request on several devices, because ranks often fail together.
struct SharedFailure
{
    LogFailure first;
    std::vector<LogFailure> others; ///< the same request on other devices
};

/// Returns the failed allocations in the order of the first failure, grouped by requested size if on
/// different devices. O(events + failures × log failures).
std::vector<SharedFailure> sharedFailures(const Trace& trace);
/// Returns "also line 249, rank 5, GPU 5; line 324, rank 6, GPU 6; and 12 more", at most 16 of them; empty if
/// there are no others.
std::string othersText(const Trace& trace, const SharedFailure& failure);

/// Returns the indices into `Trace::counters` in display order: memory of the device, other memory, the rest.
std::vector<std::size_t> seriesOrder(const Trace& trace);

/// Returns "NPU 3"; empty if the message has no device number.
std::string deviceText(const LogEvent& event);
/// Returns "during step 12", or "after step 11" if the message gives no step and 11 is the last one logged
/// before it. Empty if no step is known.
std::string stepText(const LogEvent& event);
/// Returns "line 72, rank 0, GPU 0, after step 11".
std::string placeText(const LogEvent& event);
/// Returns the first 160 bytes of the message, safe to print, with "…" if it is longer.
std::string messageExcerpt(const LogEvent& event);

/// Names the writer of a series: "rank 0, GPU 1", "WorkerDict pid=13908"; empty if the file does not name
/// it.
std::string writerOfSeries(const CounterSeries& series);
/// Returns "12.5 GiB", "0.4484 s".
std::string valueText(const CounterSeries& series, double value);

/// True if a series is in bytes of the device's memory, used or free; false for its capacity and for host
/// memory.
bool measuresDevice(const CounterSeries& series);
/// Returns the largest device capacity that a log states; nothing if it states none.
std::optional<Bytes> loggedCapacity(const Trace& trace);

/// True if a trace comes from a log or a file of sampled series: it has no device, but series or messages.
/// True also for an empty log.
bool isLog(const Trace& trace);
/// True for a log without any series or message. Every text is accepted as a log, even a README.
bool isEmptyLog(const Trace& trace);
/// True if the trace's file is readable text; records of experiment trackers and Highwater's own format are
/// not.
bool hasReadableText(const Trace& trace);

} // namespace highwater
