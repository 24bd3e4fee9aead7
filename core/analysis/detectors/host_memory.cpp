#include <algorithm>
#include <array>

#include <re2/re2.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kMostLines = 64;

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
        if (finding.evidence.size() < kMostLines)
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

std::vector<Finding> findHostOutOfMemory(const DetectorInput& input)
{
    std::vector<Finding> all;
    for (std::size_t i = 0; i < input.companions.size(); ++i)
        if (std::optional<Finding> finding = findInLog(*input.companions[i].trace, i))
            all.push_back(std::move(*finding));
    return all;
}

} // namespace highwater
