#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/device/cut_off.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kHoldersShown = 3;
constexpr Bytes kTellingDivisor = 1000; ///< a category with a smaller share of the peak is not named

/// Returns ", in step 14" or ", before the first event", with the phase if it is certain; empty if neither is
/// known.
std::string placeOfPeak(const DetectorInput& input)
{
    const std::int64_t event = input.figures.peakEvent;
    const std::string place = event < 0 ? formatMoment(event) : input.study->placeText(event);
    return place.empty() ? place : ", " + place;
}

/// Returns "activations (19.84 GiB)", "inputs (6 MiB, a guess)": the bytes are exact even if the category is
/// a guess. The window's legend marks the same categories.
std::string categoryWithBytes(const DeviceStudy& study, const CompositionGroup& group)
{
    const Category category = study.categories.of(group.example);
    const std::string_view name = category == Category::Unknown ? "memory of unknown use"
        : category == Category::BeforeRecording                 ? "memory allocated before recording began"
                                                                : titleOf(category);
    const bool isGuess = !isUncategorized(category) && study.guessed[static_cast<std::size_t>(category)];
    return fmt::format("{} ({}{})", name, formatBytes(group.bytes), isGuess ? ", a guess" : "");
}

Evidence categoriesAtPeak(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const Composition live = compositionAt(study.trace, study.allocations, study.sites,
        input.figures.peakEvent, GroupKey::Category, &study.categories);
    std::vector<std::string> parts;
    for (const CompositionGroup& group : live.groups) {
        if (group.bytes * kTellingDivisor < live.bytes)
            continue;
        parts.push_back(categoryWithBytes(study, group));
    }
    const bool isPeak = isPeakAtEvent(study.about(), input.figures);
    const std::string_view when = !input.hasHistory() ? "The memory"
        : isPeak                                      ? "The peak"
                                                      : "The highest readable total";
    return {fmt::format("{} consists of {}, in {} bytes", when, fmt::join(parts, ", "),
                inWords(study.allocations.quantity())),
        EventTarget{input.figures.peakEvent}};
}

void addHolders(const CallSites& sites, const Composition& bySite, Bytes total, Finding& finding)
{
    for (std::size_t i = 0; i < std::min(kHoldersShown, bySite.groups.size()); ++i) {
        const CompositionGroup& group = bySite.groups[i];
        finding.addEvidence(SiteTarget{group.key}, "{} holds {} ({}) in {}",
            sites.site(sites.of(group.example)).label, formatBytes(group.bytes),
            formatShare(group.bytes, total), counted(group.count, "allocation", "allocations"));
    }
}

void addCapacity(const DetectorInput& input, Finding& finding)
{
    if (!input.study->about().recordsReserved())
        return;
    const Bytes reserved = input.figures.reservedPeakBytes;
    const bool isExact = figureCertainty(input.study->about()).reservedPeak == Certainty::Exactly;
    std::string sentence
        = fmt::format("The allocator reserved {}{}", isExact ? "" : "at least ", formatBytes(reserved));
    sentence += !isExact ? "" : input.hasHistory() ? " at most" : " then";
    if (isExact && input.capacity && input.capacity->bytes >= reserved)
        sentence += fmt::format("; the GPU has {}", toText(*input.capacity));
    finding.addEvidence({}, std::move(sentence));
}

std::string titleOfPeak(const DetectorInput& input)
{
    const Device& device = input.study->about();
    const Bytes least = peakLowerBound(device, input.figures);
    const std::string bytes = formatBytes(least);
    if (!input.hasHistory())
        return fmt::format("{}{} is in use at the one moment that the file shows",
            totalsAreLowerBounds(device) ? "At least " : "", bytes);
    if (least > input.figures.peakBytes)
        return fmt::format("The peak is at least {}: that much was in use at the end", bytes);
    const bool isAtLeast = peakCertainty(*input.study) == Certainty::AtLeast;
    return fmt::format("The peak is {}{}{}", isAtLeast ? "at least " : "", bytes, placeOfPeak(input));
}

} // namespace

std::vector<Finding> findPeakSummary(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const Bytes peak = input.figures.peakBytes;
    if (peak <= 0)
        return {};
    Finding finding = findingAt(input, input.figures.peakEvent, "peak-summary", Grade::A, FindingKind::Fact);
    finding.bytes = peakLowerBound(study.about(), input.figures);
    const Composition bySite
        = compositionAt(study.trace, study.allocations, study.sites, input.figures.peakEvent, GroupKey::Site);
    finding.title = titleOfPeak(input);
    finding.evidence.push_back(categoriesAtPeak(input));
    addHolders(study.sites, bySite, peak, finding);
    addCapacity(input, finding);
    return {std::move(finding)};
}

} // namespace highwater
