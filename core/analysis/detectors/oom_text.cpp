#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Findings of logs that repeat themselves without end.
constexpr std::size_t kMostTextsOfALog = 64;

/// By how much the figures of the message break what must hold: the largest excess over the capacity.
Bytes excessOf(const OomFigures& figures)
{
    Bytes excess = 0;
    for (const std::optional<WrittenBytes>& part : {figures.allocated, figures.reserved, figures.processUsed})
        if (part && figures.capacity)
            excess = std::max(excess, part->bytes - figures.capacity->bytes);
    return excess > 0 ? excess : figures.requested ? figures.requested->bytes : 0;
}

/// What a process says that was killed, for whatever reason; it agrees with a kill, and proves none.
constexpr std::array<std::string_view, 3> kKilledBySomeone{"elastic.sigkill", "signal.9", "exit.137"};
/// The program sees that its worker was killed, and the kernel is the usual one to do so.
constexpr std::string_view kKilledWorker = "dataloader.killed";

bool isProof(const LogEvent& event)
{
    return event.kind == LogEvent::Kind::HostOom
        && std::ranges::find(kKilledBySomeone, event.pattern) == kKilledBySomeone.end();
}

/// Of the process that the kernel killed; 0: not told.
Bytes residentBytes(const LogEvent& event)
{
    static const re2::RE2 kResident("anon-rss:(\\d{1,12}) ?kB");
    Bytes kilobytes = 0;
    return re2::RE2::PartialMatch(event.text, kResident, &kilobytes) ? kilobytes * kKiB : 0;
}

std::optional<Finding> findInLog(const Trace& log, std::size_t companion)
{
    const auto first = std::ranges::find_if(log.logEvents, isProof);
    if (first == log.logEvents.end())
        return std::nullopt;
    Finding finding{.rule = "host-out-of-memory", .grade = Grade::B};
    for (const LogEvent& event : log.logEvents) {
        if (event.kind != LogEvent::Kind::HostOom)
            continue;
        if (isProof(event) && event.pattern != kKilledWorker)
            finding.grade = Grade::A;
        finding.bytes = std::max(finding.bytes, residentBytes(event));
        if (finding.evidence.size() < kMostTextsOfALog)
            finding.addEvidence(LogLineTarget{companion, event.line}, "{}: {}", placeText(event),
                sanitizedText(event.text.substr(0, 160)));
    }
    finding.title = finding.bytes > 0
        ? fmt::format("The machine ran out of memory, not the GPU ({}): a process of {} was killed",
            placeText(*first), formatBytes(finding.bytes))
        : fmt::format(
            "The machine ran out of memory, not the GPU ({}): a process was killed", placeText(*first));
    finding.remedy.action = "Look at host memory: fewer or leaner DataLoader workers, pinned buffers and "
                            "offloaded states, or a higher limit of the job (--mem, the container's)";
    finding.wouldDisprove = "A kernel log of the same moment without a kill for want of memory";
    return finding;
}

} // namespace

std::vector<Finding> findInconsistentOomText(const DetectorInput& input)
{
    std::vector<Finding> all;
    for (std::size_t i = 0; i < input.companions.size(); ++i) {
        const Trace& log = *input.companions[i].trace;
        for (const LogFailure& failure : logFailures(log)) {
            const LogEvent& event = log.logEvents[failure.event];
            if (!event.figures || all.size() == kMostTextsOfALog)
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
            finding.remedy.action
                = "Trust none of its figures before nvidia-smi or a memory snapshot of the same "
                  "moment confirms them: the text may be of several processes, or edited";
            finding.wouldDisprove = "The unedited message of one process with the same figures";
            all.push_back(std::move(finding));
        }
    }
    return all;
}

std::vector<Finding> findHostOutOfMemory(const DetectorInput& input)
{
    std::vector<Finding> all;
    for (std::size_t i = 0; i < input.companions.size(); ++i)
        if (std::optional<Finding> finding = findInLog(*input.companions[i].trace, i))
            all.push_back(std::move(*finding));
    return all;
}

} // namespace highwater
