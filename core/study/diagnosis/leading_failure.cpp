#include "core/study/diagnosis/leading_failure.h"

#include <algorithm>
#include <tuple>
#include <variant>

#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/log_traceback.h"
#include "core/analysis/stacks/call_site.h"
#include "core/study/outcome/run_outcome.h"

namespace highwater {

namespace {

/// A failure in a log that may be the leading one.
struct FailureCandidate
{
    const RunLog* log = nullptr;
    LogFailure failure;

    const LogEvent& message() const { return log->trace->logEvents[failure.event]; }
};

/// Returns the sort key of a failure. The failure with the smallest key leads.
std::tuple<bool, int> orderOf(const LogEvent& message)
{
    const int fatalOrder = !message.fatal ? 1 : *message.fatal ? 0 : 2;
    return {message.kind == LogEvent::Kind::Unclear, fatalOrder};
}

std::vector<FailureCandidate> failureCandidates(const DiagnosedRun& run)
{
    std::vector<FailureCandidate> candidates;
    for (const RunLog& log : run.logs)
        for (const LogFailure& failure : failuresOfEveryKind(*log.trace))
            candidates.push_back({&log, failure});
    return candidates;
}

const FailureCandidate* leadingCandidate(const std::vector<FailureCandidate>& candidates)
{
    const auto found = std::ranges::min_element(
        candidates, {}, [](const FailureCandidate& candidate) { return orderOf(candidate.message()); });
    return found == candidates.end() ? nullptr : &*found;
}

/// True for a failure of PyTorch's allocator. A recording of the same run contains it as an event.
bool isOom(const FailureCandidate& candidate)
{
    return candidate.message().kind == LogEvent::Kind::Oom;
}

/// Returns the leading one of the failures of PyTorch's allocator; null if there is none.
const FailureCandidate* leadingOom(const std::vector<FailureCandidate>& candidates)
{
    std::vector<FailureCandidate> ooms = candidates;
    std::erase_if(ooms, [](const FailureCandidate& candidate) { return !isOom(candidate); });
    const FailureCandidate* const first = leadingCandidate(ooms);
    return first ? &*std::ranges::find_if(candidates,
               [&](const FailureCandidate& candidate) { return &candidate.message() == &first->message(); })
                 : nullptr;
}

/// Counts the out-of-memory events of all ranks.
std::int64_t oomEventCount(const DiagnosedRun& run)
{
    std::int64_t events = run.figures ? static_cast<std::int64_t>(run.figures->ooms.size()) : 0;
    if (!run.ranks)
        return events;
    std::int64_t rankEvents = 0;
    for (std::size_t file = 0; file < run.ranks->files.size(); ++file)
        if (const std::size_t row = run.ranks->mainRow(file); row < run.ranks->rows.size())
            if (const RankDevice* const device = run.ranks->deviceOf(run.ranks->rows[row]))
                rankEvents += static_cast<std::int64_t>(device->oomCount);
    return std::max(events, rankEvents);
}

/// Counts failures of all kinds; a message and an event of PyTorch's allocator count as one failure.
std::int64_t failureCount(const DiagnosedRun& run, const std::vector<FailureCandidate>& candidates)
{
    const auto ooms = std::ranges::count_if(candidates, isOom);
    return std::max<std::int64_t>(ooms, oomEventCount(run)) + static_cast<std::int64_t>(candidates.size())
        - ooms;
}

void setMessage(const FailureCandidate& candidate, LeadingFailure& leading)
{
    leading.log = candidate.log;
    leading.message = &candidate.message();
    leading.fatal = leading.message->fatal;
    for (const LogEvent& event : candidate.log->trace->logEvents)
        if (event.failure == leading.message->failure)
            leading.messages.push_back(&event);
}

std::optional<FailurePlace> placeOfStack(const Trace& trace, StackId stack)
{
    const FrameId code = codeFrame(trace, stack);
    if (code.isNone())
        return std::nullopt;
    const Frame& frame = trace.stacks.frame(code);
    return FailurePlace{
        std::string(trace.text(frame.file)), frame.line, std::string(trace.text(frame.function))};
}

} // namespace

LeadingFailure leadingFailure(const DiagnosedRun& run)
{
    LeadingFailure leading;
    const std::vector<FailureCandidate> candidates = failureCandidates(run);
    leading.count = failureCount(run, candidates);
    const FailureCandidate* const first = leadingCandidate(candidates);
    const bool hasEvent = run.figures && !run.figures->ooms.empty();
    const bool endedOtherwise = first && !isOom(*first) && first->message().fatal == true
        && first->message().kind != LogEvent::Kind::Unclear;
    if (hasEvent && !endedOtherwise) {
        leading.event = &run.figures->ooms.back();
        if (const FailureCandidate* const oom = leadingOom(candidates))
            setMessage(*oom, leading);
        if (!endOf(*run.device).failedAt)
            leading.fatal = false;
    } else if (first) {
        setMessage(*first, leading);
    }
    return leading;
}

bool isAbout(const Finding& finding, const LeadingFailure& failure)
{
    return std::ranges::any_of(finding.evidence, [&](const Evidence& evidence) {
        const auto* const line = std::get_if<LogLineTarget>(&evidence.target);
        return line && failure.log && line->auxiliary == failure.log->auxiliary
            && std::ranges::find(failure.messages, line->line, &LogEvent::line) != failure.messages.end();
    });
}

std::optional<std::size_t> findingOf(const LeadingFailure& failure, const std::vector<Finding>& findings)
{
    const auto isOfEvent = [&](const Finding& finding) {
        return failure.event && isFailure(finding) && finding.event == failure.event->event
            && std::ranges::none_of(finding.evidence, [](const Evidence& evidence) {
                   return std::holds_alternative<LogLineTarget>(evidence.target);
               });
    };
    const auto isOfMessage = [&](const Finding& finding) {
        const bool isOutsideMemory = finding.rule == "outside-pytorch" && finding.kind == FindingKind::Fault;
        return (isFailure(finding) || isOutsideMemory) && isAbout(finding, failure);
    };
    auto found = std::ranges::find_if(findings, isOfEvent);
    if (found == findings.end()) // findings that report the failure come before others that cite its message
        found = std::ranges::find_if(
            findings, [&](const Finding& finding) { return isFailure(finding) && isOfMessage(finding); });
    if (found == findings.end())
        found = std::ranges::find_if(findings, isOfMessage);
    return found == findings.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - findings.begin()));
}

std::optional<FailurePlace> placeOf(const LeadingFailure& failure, const DiagnosedRun& run)
{
    if (failure.event) {
        const std::size_t row = run.trace.row(run.device->device, failure.event->event);
        if (std::optional<FailurePlace> place = placeOfStack(run.trace, run.trace.events.stack[row]))
            return place;
    }
    // Another message may only pass an error on: "Caught OutOfMemoryError in replica 0 on device 0".
    std::vector<const LogEvent*> messages = failure.messages;
    std::stable_partition(messages.begin(), messages.end(),
        [&](const LogEvent* message) { return message == failure.message; });
    std::optional<FailurePlace> library;
    for (const LogEvent* const message : messages) {
        const Trace& log = *failure.log->trace;
        const std::optional<std::size_t> innermost = findUserFrame(log, *message);
        if (!innermost)
            continue;
        const LogFrame& frame = message->frames[*innermost];
        FailurePlace place{std::string(log.text(frame.file)), static_cast<std::int64_t>(frame.line),
            std::string(log.text(frame.function))};
        if (isUserFile(place.file))
            return place;
        if (!library)
            library = std::move(place);
    }
    return library;
}

} // namespace highwater
