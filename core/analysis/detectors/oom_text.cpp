#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"

namespace highwater {

namespace {

/// Findings of logs that repeat themselves without end.
constexpr std::size_t kMostOfALog = 64;

/// By how much the figures of the message break what must hold: the largest excess over the capacity.
Bytes excessOf(const OomFigures& figures)
{
    Bytes excess = 0;
    for (const std::optional<WrittenBytes>& part : {figures.allocated, figures.reserved, figures.processUsed})
        if (part && figures.capacity)
            excess = std::max(excess, part->bytes - figures.capacity->bytes);
    return excess > 0 ? excess : figures.requested ? figures.requested->bytes : 0;
}

} // namespace

std::vector<Finding> findInconsistentOomText(const DetectorInput& input)
{
    std::vector<Finding> all;
    for (std::size_t i = 0; i < input.companions.size(); ++i) {
        const Trace& log = *input.companions[i].trace;
        for (const LogFailure& failure : logFailures(log)) {
            const LogEvent& event = log.logEvents[failure.event];
            if (!event.figures || all.size() == kMostOfALog)
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

} // namespace highwater
