#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_saying.h"
#include "core/analysis/device/cut_off.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kHoldersShown = 3;

std::string placeOfPeak(const DetectorInput& input)
{
    const StepTable& steps = input.study->steps;
    const std::int64_t event = input.figures.peakEvent;
    std::string place = formatMoment(event);
    if (event < 0)
        return place;
    if (const auto step = steps.stepOf(event); step && steps.source != StepSource::Whole)
        place += ", in " + steps.steps[*step].name;
    const Phase phase = input.study->phases.at(event);
    return phase == Phase::Unknown ? place : fmt::format("{}, {}", place, toText(phase));
}

/// Of a category that is inferred; " (B)".
std::string gradeText(const CompositionGroup& group)
{
    const std::optional<Grade> grade = group.grade();
    return !grade || *grade == Grade::A ? "" : fmt::format(" ({})", toText(*grade));
}

Evidence categoriesAtPeak(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const Composition live = compositionAt(study.trace, study.allocations, study.sites,
        input.figures.peakEvent, GroupKey::Category, &study.categories);
    std::string parts;
    for (const CompositionGroup& group : live.groups)
        parts += fmt::format("{}{} {}{}", parts.empty() ? "" : ", ",
            titleOf(study.categories.of(group.example)), formatBytes(group.bytes), gradeText(group));
    const bool isPeak = leastPeak(study.about(), input.figures) == input.figures.peakBytes;
    const std::string_view when = !input.hasHistory() ? "In use then: "
        : isPeak                                      ? "In use at the peak: "
                                                      : "Known to be in use before: ";
    return {fmt::format("{}{}", when, parts), EventTarget{input.figures.peakEvent}};
}

void addHolders(const Composition& bySite, Bytes total, Finding& finding)
{
    for (std::size_t i = 0; i < std::min(kHoldersShown, bySite.groups.size()); ++i) {
        const CompositionGroup& group = bySite.groups[i];
        finding.addEvidence(SiteTarget{group.key}, "{} ({}) in {} of {}", formatBytes(group.bytes),
            formatShare(group.bytes, total), counted(group.count, "allocation", "allocations"), group.key);
    }
}

void addCapacity(const DetectorInput& input, Finding& finding)
{
    if (!input.study->about().tellsReserved())
        return;
    const Bytes reserved = input.figures.reservedPeakBytes;
    const bool isKnown = knownFigures(input.study->about()).reservedPeak == Known::Exactly;
    std::string sentence
        = fmt::format("The allocator reserved {}{}", isKnown ? "" : "at least ", formatBytes(reserved));
    sentence += !isKnown ? "" : input.hasHistory() ? " at most" : " then";
    if (isKnown && input.capacity && input.capacity->bytes >= reserved)
        sentence += fmt::format(", {} below the device's {}", formatBytes(input.capacity->bytes - reserved),
            toText(*input.capacity));
    finding.addEvidence({}, std::move(sentence));
}

std::string titleOfPeak(const DetectorInput& input)
{
    const Trace& trace = input.study->trace;
    const Device& device = input.study->about();
    const Bytes least = leastPeak(device, input.figures);
    const std::string bytes
        = fmt::format("{} of {} bytes", formatBytes(least), toText(input.study->allocations.quantity()));
    if (!input.hasHistory())
        return fmt::format("{}{} are in use at the one moment that the file shows",
            totalsAreAtLeast(device) ? "At least " : "", bytes);
    if (least > input.figures.peakBytes)
        return fmt::format("The peak is at least {}: so much was in use at the end", bytes);
    const bool isAtLeast = trace.metadata.startLost || knownFigures(device).peak == Known::AtLeast;
    return fmt::format("The peak is {}{}, {}", isAtLeast ? "at least " : "", bytes, placeOfPeak(input));
}

} // namespace

std::vector<Finding> findPeakSummary(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const Bytes peak = input.figures.peakBytes;
    if (peak <= 0)
        return {};
    Finding finding = findingAt(input, input.figures.peakEvent, "peak-summary", Grade::A, FindingKind::Fact);
    finding.bytes = leastPeak(study.about(), input.figures);
    const Composition bySite
        = compositionAt(study.trace, study.allocations, study.sites, input.figures.peakEvent, GroupKey::Site);
    finding.title = titleOfPeak(input);
    finding.evidence.push_back(categoriesAtPeak(input));
    addHolders(bySite, peak, finding);
    addCapacity(input, finding);
    finding.remedy.action = "Record with stacks: they say what to look at first";
    if (const CompositionGroup* first = largestWithPlace(study, bySite))
        finding.remedy.action = fmt::format("Look first at {}, which holds {} there",
            study.sites.site(study.sites.of(first->example)).label, formatBytes(first->bytes));
    finding.wouldDisprove = study.trace.metadata.startLost
        ? "A recording whose start was not lost, with a higher peak before this one begins"
        : "A recording of the same run that began earlier or ended later, with a higher peak";
    return {std::move(finding)};
}

} // namespace highwater
