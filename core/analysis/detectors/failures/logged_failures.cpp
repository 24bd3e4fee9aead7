#include "core/analysis/detectors/failures/logged_failures.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/detectors/failures/message_advice.h"
#include "core/analysis/detectors/failures/message_title.h"
#include "core/analysis/detectors/failures/not_on_device.h"
#include "core/analysis/detectors/failures/oom_cause_words.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Limit on the findings of all logs, and on the lines that one finding cites: some logs repeat a message
/// endlessly.
constexpr std::size_t kMaxLoggedFailures = 64;

/// Returns the rule for the failure that a message reports; empty if rule outside-pytorch reports the
/// failure.
std::string_view ruleOfMessage(const OomReading& reading)
{
    if (reading.notOnDevice && reading.cause == OomCause::Full)
        return "not-on-device";
    if (reading.cause == OomCause::OtherProcess)
        return {};
    const std::string_view rule = causeRule(reading.cause);
    return rule.empty() ? "out-of-memory" : rule;
}

/// Returns the bytes of the finding: those that were missing according to the message, or free but unusable,
/// else the request.
Bytes bytesOfMessage(const OomFigures& figures, const OomReading& reading)
{
    const Bytes unallocatedBytes = reading.unallocated ? reading.unallocated->bytes : 0;
    const Bytes freeBytes = figures.free ? figures.free->bytes : 0;
    const Bytes requestedBytes = figures.requested ? figures.requested->bytes : 0;
    if (reading.notOnDevice)
        return *reading.notOnDevice;
    switch (reading.cause) {
    case OomCause::Fragmentation: return figures.largestFree ? freeBytes : unallocatedBytes;
    case OomCause::TooBig:
        if (figures.needed && figures.capacity)
            return figures.needed->bytes - figures.capacity->bytes;
        return figures.free ? requestedBytes - unallocatedBytes - freeBytes : requestedBytes;
    default: return requestedBytes;
    }
}

/// Returns the grade of the cause. A message rounds its figures and does not show where the free bytes are,
/// but it gives the exact limit that a request exceeded.
Grade gradeOfMessage(const OomFigures& figures, const OomReading& reading)
{
    switch (reading.cause) {
    case OomCause::ProcessCap:
    case OomCause::CorruptRequest:
    case OomCause::AboveCapacity:
    case OomCause::AllocationLimit:
    case OomCause::ReserveTooSmall: return Grade::A;
    case OomCause::Fragmentation: return figures.largestFree ? Grade::A : Grade::C;
    case OomCause::Divided: return Grade::C;
    default: return Grade::B;
    }
}

/// Adds the evidence of the log itself that an inference engine sleeps.
void addSleepingEngine(const Trace& log, std::size_t auxiliary, Finding& finding)
{
    for (const CounterSeries& series : log.counters)
        if (series.component == "sleep_freed" && series.points() > 0)
            finding.addEvidence(LogLineTarget{auxiliary, series.lineAt(0)},
                "An inference engine sleeps in this run: {} unmapped",
                valueText(series, series.value.front()));
}

Finding failureFinding(
    const DetectorInput& input, const LogEvent& event, const OomReading& reading, std::size_t auxiliary)
{
    const Trace& log = *input.auxiliaryFiles[auxiliary].trace;
    Finding finding{.rule = std::string(ruleOfMessage(reading)),
        .grade = gradeOfMessage(*event.figures, reading),
        .device = event.figures->device,
        .bytes = bytesOfMessage(*event.figures, reading)};
    finding.title = messageTitle(event, reading);
    const LogLineTarget line{auxiliary, event.line};
    const std::string room = roomSentence(*event.figures, reading);
    finding.addEvidence(line, messageLine(event));
    if (!room.empty()) {
        finding.addEvidence(line, room);
        finding.evidence.back().isCause = true;
    }
    finding.remedy = remedyForMessage(log, event, reading);
    if (reading.notOnDevice) {
        const NotOnDevice facts = notOnDeviceFacts(input, log, event);
        finding.addEvidence(line, "PyTorch counts at least {} that is not on the GPU{}",
            formatBytes(*reading.notOnDevice), notOnDeviceReason(facts));
        finding.evidence.back().isCause = true;
        addSleepingEngine(log, auxiliary, finding);
        if (!isSettledByMessage(reading.cause))
            finding.remedy = {notOnDeviceAction(facts, *event.figures)};
    }
    finding.wouldDisprove = isSettledByMessage(reading.cause)
        ? causeDisproof(reading.cause)
        : "Wrong if a snapshot at the failure shows other figures";
    return finding;
}

using Request = std::pair<OomCause, Bytes>;

/// The findings made so far, and what the messages of several ranks add to one of them.
struct LoggedFindings
{
    std::vector<Finding>& findings;
    std::map<Request, std::size_t> findingOfRequest; ///< index of the finding about each request
    struct ToEnd
    {
        std::set<std::int64_t> processes;
        std::size_t requests = 0; ///< that fit without them
    };
    std::map<std::size_t, ToEnd> toEnd; ///< by finding

    /// Adds a message to the finding about its request, or makes that finding, and returns the finding's
    /// index. nullopt if rule outside-pytorch reports the message, or if there are too many findings.
    std::optional<std::size_t> add(const DetectorInput& input, const LogEvent& event, std::size_t auxiliary)
    {
        const OomReading reading = readOom(event);
        if (ruleOfMessage(reading).empty())
            return std::nullopt;
        const Bytes requested = event.figures->requested ? event.figures->requested->bytes : 0;
        const auto known = findingOfRequest.find({reading.cause, requested});
        std::size_t index = findings.size();
        if (known != findingOfRequest.end()) {
            index = known->second;
            if (findings[index].evidence.size() < kMaxLoggedFailures)
                findings[index].addEvidence(LogLineTarget{auxiliary, event.line}, "{}: {}", placeText(event),
                    figuresText(*event.figures));
        } else if (findings.size() < kMaxLoggedFailures) {
            findingOfRequest.emplace(Request{reading.cause, requested}, index);
            findings.push_back(failureFinding(input, event, reading, auxiliary));
            if (blamesProcesses(reading))
                toEnd[index] = {};
        } else {
            return std::nullopt;
        }
        if (const auto named = toEnd.find(index); named != toEnd.end()) {
            ++named->second.requests;
            for (const ProcessUse& process : reading.foreign)
                named->second.processes.insert(process.process);
        }
        return index;
    }
};

/// Adds the later lines that the failure explains: processes that were killed, ranks that waited.
void addConsequences(const Trace& log, std::size_t auxiliary, Finding& finding)
{
    constexpr std::size_t kMaxConsequences = 8;
    const MemoryFailureEnd end(log);
    std::size_t added = 0;
    for (const LogEvent& event : log.logEvents)
        if (end.explains(event) && added++ < kMaxConsequences)
            finding.addEvidence(LogLineTarget{auxiliary, event.line}, "It explains {}: {}", placeText(event),
                messageExcerpt(event));
}

void addFailuresOfLog(const DetectorInput& input, std::size_t auxiliary, LoggedFindings& logged)
{
    const Trace& log = *input.auxiliaryFiles[auxiliary].trace;
    std::optional<std::size_t> first;
    for (const LogFailure& failure : logFailures(log)) {
        const LogEvent& event = log.logEvents[failure.event];
        if (!event.figures)
            continue;
        const std::optional<std::size_t> index = logged.add(input, event, auxiliary);
        if (!first && event.fatal != false)
            first = index;
    }
    if (first)
        addConsequences(log, auxiliary, logged.findings[*first]);
}

} // namespace

void addLoggedFailures(const DetectorInput& input, std::vector<Finding>& findings)
{
    LoggedFindings logged{findings, {}, {}};
    for (std::size_t i = 0; i < input.auxiliaryFiles.size(); ++i)
        addFailuresOfLog(input, i, logged);
    for (const auto& [finding, toEnd] : logged.toEnd)
        findings[finding].remedy.action = actionForProcesses(toEnd.processes, toEnd.requests);
}

} // namespace highwater
