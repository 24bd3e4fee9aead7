#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/composition.h"
#include "core/analysis/detectors/rules.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kHoldersShown = 3;

std::string placeOf(const DetectorInput& input)
{
    const StepTable& steps = input.study->steps;
    const std::int64_t event = input.figures.peakEvent;
    if (event < 0)
        return "before the first event";
    std::string place = fmt::format("after event {}", formatCount(event));
    if (const auto step = steps.stepOf(event); step && steps.source != StepSource::Whole)
        place += ", in " + steps.steps[*step].name;
    const Phase phase = input.study->phases.at(event);
    return phase == Phase::Unknown ? place : fmt::format("{}, {}", place, toText(phase));
}

Evidence categoriesAtPeak(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const Composition live = compositionAt(study.trace, study.allocations, study.sites,
        input.figures.peakEvent, GroupKey::Category, &study.categories);
    std::string parts;
    for (const CompositionGroup& group : live.groups)
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ",
            titleOf(study.categories.of(group.example)), formatBytes(group.bytes));
    return {"In use at the peak: " + parts, EventTarget{input.figures.peakEvent}};
}

void addHolders(const Composition& bySite, Bytes total, Finding& finding)
{
    for (std::size_t i = 0; i < std::min(kHoldersShown, bySite.groups.size()); ++i) {
        const CompositionGroup& group = bySite.groups[i];
        finding.evidence.push_back({fmt::format("{} ({}) in {} allocations of {}", formatBytes(group.bytes),
                                        formatShare(group.bytes, total), formatCount(group.count), group.key),
            SiteTarget{group.key}});
    }
}

void addCapacity(const DetectorInput& input, Finding& finding)
{
    if (!input.study->about().tellsReserved())
        return;
    const Bytes reserved = input.figures.reservedPeakBytes;
    std::string sentence = fmt::format("The allocator reserved {} at most", formatBytes(reserved));
    if (input.capacity && input.capacity->bytes >= reserved)
        sentence += fmt::format(", {} below the device's {}", formatBytes(input.capacity->bytes - reserved),
            toText(*input.capacity));
    finding.evidence.push_back({std::move(sentence), {}});
}

} // namespace

std::vector<Finding> findPeakSummary(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const Bytes peak = input.figures.peakBytes;
    if (peak <= 0)
        return {};
    Finding finding = findingOf(input, "peak-summary", Grade::A, FindingKind::Fact);
    placeAt(finding, input, input.figures.peakEvent);
    finding.bytes = peak;
    const Composition bySite
        = compositionAt(study.trace, study.allocations, study.sites, input.figures.peakEvent, GroupKey::Site);
    finding.title
        = fmt::format("The peak is {}{} of {} bytes, {}", study.trace.metadata.startLost ? "at least " : "",
            formatBytes(peak), toText(study.allocations.quantity()), placeOf(input));
    finding.evidence.push_back(categoriesAtPeak(input));
    addHolders(bySite, peak, finding);
    addCapacity(input, finding);
    const CompositionGroup& largest = bySite.groups.front();
    finding.remedy.action = fmt::format("Look first at {}, which holds most of what is alive there",
        study.sites.site(study.sites.of(largest.example)).label);
    finding.wouldDisprove = study.trace.metadata.startLost
        ? "A recording whose start was not lost, with a higher peak before this one begins"
        : "A recording of the same run that began earlier or ended later, with a higher peak";
    return {std::move(finding)};
}

} // namespace highwater
