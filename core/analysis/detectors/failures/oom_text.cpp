#include <algorithm>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Limit on the findings of all logs, and on the lines that one finding cites: some logs repeat a message
/// endlessly.
constexpr std::size_t kMaxOomTexts = 64;

/// Returns the largest excess of the allocated, reserved or used bytes over the capacity, else the request.
Bytes excessOf(const OomFigures& figures)
{
    Bytes excess = 0;
    for (const std::optional<WrittenBytes>& part : {figures.allocated, figures.reserved, figures.processUsed})
        if (part && figures.capacity)
            excess = std::max(excess, part->bytes - figures.capacity->bytes);
    return excess > 0 ? excess : figures.requested ? figures.requested->bytes : 0;
}

bool isHostFailure(const LogEvent& event, LogEvent::Subject subject)
{
    return event.kind == LogEvent::Kind::HostOom && event.subject == subject;
}

/// Returns the resident bytes of the process that the kernel killed; 0 if unknown.
Bytes residentBytes(const LogEvent& event)
{
    static const re2::RE2 kResident("anon-rss:(\\d{1,12}) ?kB");
    Bytes kilobytes = 0;
    return re2::RE2::PartialMatch(event.text, kResident, &kilobytes) ? kilobytes * kKiB : 0;
}

/// Returns the bytes of the killed process or of the request, whichever is larger; 0 if both are unknown.
Bytes hostBytes(const LogEvent& event)
{
    Bytes bytes = residentBytes(event);
    if (event.figures)
        for (const std::optional<WrittenBytes>& part : {event.figures->processUsed, event.figures->requested})
            bytes = std::max(bytes, part ? part->bytes : 0);
    return bytes;
}

/// Returns the title of the finding, whose first evidence is `first`. It names who reported the failure, such
/// as "the kernel", or "the log" if nobody is named.
std::string hostTitle(const LogEvent& first, Bytes bytes)
{
    const std::string speaker = first.speaker.empty() ? "the log" : sanitizedText(first.speaker);
    if (first.subject == LogEvent::Subject::SharedMemory)
        return fmt::format(
            "The host's shared memory (/dev/shm) is too small, not GPU memory, according to {}", speaker);
    const bool isRequest = first.figures && first.figures->requested;
    const std::string refusal = bytes == 0 ? "a process was killed or refused memory"
        : isRequest                        ? fmt::format("{} was refused", formatBytes(bytes))
                                           : fmt::format("a process of {} was killed", formatBytes(bytes));
    return fmt::format("The machine ran out of memory, not the GPU: {}, according to {}", refusal, speaker);
}

std::optional<Finding> hostFinding(const Trace& log, std::size_t auxiliary, LogEvent::Subject subject)
{
    const auto first
        = std::ranges::find_if(log.logEvents, [&](const LogEvent& e) { return isHostFailure(e, subject); });
    if (first == log.logEvents.end())
        return std::nullopt;
    const bool isShared = subject == LogEvent::Subject::SharedMemory;
    Finding finding{.rule = "host-out-of-memory", .grade = Grade::A};
    const auto cite = [&](const LogEvent& event) {
        finding.bytes = std::max(finding.bytes, hostBytes(event));
        if (finding.evidence.size() < kMaxOomTexts)
            finding.addEvidence(
                LogLineTarget{auxiliary, event.line}, "{}: {}", placeText(event), messageExcerpt(event));
    };
    for (const LogEvent& event : log.logEvents)
        if (isHostFailure(event, subject))
            cite(event);
    // A message that a process was killed proves nothing by itself, but supports a failure that another
    // message proves.
    for (const LogEvent& event : log.logEvents)
        if (!isShared && event.kind == LogEvent::Kind::Unclear && event.subject == subject)
            cite(event);
    finding.title = hostTitle(*first, finding.bytes);
    finding.remedy.action = isShared
        ? "Enlarge /dev/shm (--shm-size or --ipc=host of the container), or use fewer DataLoader workers"
        : "Reduce host memory (DataLoader workers, pinned buffers, offloaded state), or raise the job's "
          "limit (--mem, the container's)";
    finding.wouldDisprove = isShared ? "Wrong if /dev/shm had free space at that moment"
                                     : "Wrong if these lines are about another job on the same machine";
    return finding;
}

} // namespace

std::vector<Finding> findInconsistentOomText(const DetectorInput& input)
{
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < input.auxiliaryFiles.size(); ++i) {
        const Trace& log = *input.auxiliaryFiles[i].trace;
        for (const LogFailure& failure : logFailures(log)) {
            const LogEvent& event = log.logEvents[failure.event];
            if (!event.figures || findings.size() == kMaxOomTexts)
                continue;
            const OomReading reading = readOom(event);
            if (reading.contradictions.empty())
                continue;
            Finding finding{.rule = "inconsistent-oom-text",
                .grade = Grade::A,
                .kind = FindingKind::Fact,
                .device = event.figures->device,
                .bytes = excessOf(*event.figures)};
            finding.title = fmt::format("The out-of-memory message contradicts itself ({}): {}",
                placeText(event), reading.contradictions.front());
            for (const std::string& contradiction : reading.contradictions)
                finding.addEvidence(LogLineTarget{i, event.line}, contradiction);
            finding.addEvidence(LogLineTarget{i, event.line}, figuresText(*event.figures));
            finding.remedy.action = "Check its figures with nvidia-smi or a memory snapshot first: the text "
                                    "may mix several processes or be edited";
            finding.wouldDisprove = "Wrong if the unedited message of one process has the same figures";
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

std::vector<Finding> findHostOutOfMemory(const DetectorInput& input)
{
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < input.auxiliaryFiles.size(); ++i)
        for (const LogEvent::Subject subject : {LogEvent::Subject::Host, LogEvent::Subject::SharedMemory})
            if (std::optional<Finding> finding = hostFinding(*input.auxiliaryFiles[i].trace, i, subject))
                findings.push_back(std::move(*finding));
    return findings;
}

} // namespace highwater
