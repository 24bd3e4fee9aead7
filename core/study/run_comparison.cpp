#include "core/study/run_comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/device/moment_words.h"
#include "core/base/text_format.h"
#include "core/study/outcome/reserved_peaks.h"
#include "core/study/outcome/unrelated_runs.h"

namespace highwater {

namespace {

DiffInput diffInput(const DeviceStudy& study, std::int64_t event)
{
    return {study.trace, study.allocations, study.sites, &study.categories, study.allocations.liveAt(event)};
}

/// Returns "step 9" for the peak of a step, "the peak", "the start" or "the moment after event 5,701".
std::string momentName(const DeviceStudy& study, std::int64_t event)
{
    const std::vector<Step>& steps = study.steps.steps;
    const auto step = std::ranges::find(steps, event, &Step::peakEvent);
    if (step != steps.end() && study.steps.source != StepSource::Whole)
        return sanitizedText(step->name);
    if (event == study.curve.peak().event)
        return fmt::format("the {}", nameOfHighest(study));
    return event < 0 ? "the start" : "the moment after event " + formatCount(event);
}

} // namespace

RunComparison::RunComparison(ComparedDevice before, ComparedDevice after)
    : m_before(std::move(before))
    , m_after(std::move(after))
    , m_classes(matchStacks(m_before.study->trace, m_after.study->trace))
    , m_steps(alignSteps(m_before.study->steps, m_after.study->steps))
    , m_unrelatedText(unrelatedText(*m_before.study, *m_after.study, m_classes))
    , m_unequalPeaks(m_unrelatedText.empty()
              ? highwater::unequalPeaks(*m_before.study, *m_after.study, m_steps)
              : std::nullopt)
    , m_settings(settingChanges({m_before.study->trace, m_before.study->about(), m_before.settings},
          {m_after.study->trace, m_after.study->about(), m_after.settings}))
{
}

bool RunComparison::isOfOneDevice() const
{
    return &before().trace == &after().trace && before().device == after().device;
}

SideNames RunComparison::sideNames(std::int64_t beforeEvent, std::int64_t afterEvent) const
{
    if (!isOfOneDevice() || beforeEvent == afterEvent)
        return {};
    return {momentName(before(), beforeEvent), momentName(after(), afterEvent), true};
}

ComparedEnds RunComparison::ends() const
{
    return {endOf(before()), endOf(after()), differenceAtEqualSteps(before().steps, after().steps, m_steps)};
}

RunAlignment RunComparison::align(RunAxis axis) const
{
    return alignRuns(alignmentInput(before()), alignmentInput(after()), m_steps, axis);
}

RunAlignment RunComparison::alignStepsOf(std::int64_t beforeEvent, std::int64_t afterEvent) const
{
    const std::optional<std::size_t> beforeStep = before().steps.stepOf(beforeEvent);
    const std::optional<std::size_t> afterStep = after().steps.stepOf(afterEvent);
    if (!beforeStep || !afterStep || beforeStep == afterStep)
        return align(RunAxis::Step);
    return alignTwoSteps(alignmentInput(before()), before().steps.steps[*beforeStep], alignmentInput(after()),
        after().steps.steps[*afterStep]);
}

std::vector<RunAxis> RunComparison::usableAxes() const
{
    return highwater::usableAxes(alignmentInput(before()), alignmentInput(after()));
}

DiffInput RunComparison::beforeAt(std::int64_t event) const
{
    return diffInput(before(), event);
}

DiffInput RunComparison::afterAt(std::int64_t event) const
{
    return diffInput(after(), event);
}

MomentNames RunComparison::namesOf(std::int64_t beforeEvent, std::int64_t afterEvent) const
{
    if (beforeEvent == before().curve.peak().event && afterEvent == after().curve.peak().event)
        return {};
    MomentNames names{momentName(before(), beforeEvent), momentName(after(), afterEvent)};
    const bool isOneRecording = &before().trace == &after().trace;
    if (!isOfOneDevice()) {
        names.before += isOneRecording ? " on " + before().about().words() : " of the earlier run";
        names.after += isOneRecording ? " on " + after().about().words() : " of the later run";
    }
    return names;
}

DiffFindings RunComparison::diffAt(std::int64_t beforeEvent, std::int64_t afterEvent, GroupKey key) const
{
    MomentNames names = namesOf(beforeEvent, afterEvent);
    names.areOfUnequalSteps = names.arePeaks() && m_unequalPeaks;
    DiffFindings found = findDiff(beforeAt(beforeEvent), afterAt(afterEvent), key, m_classes, m_settings,
        names, sharedEnds(before().steps, after().steps, m_steps));
    if (!names.arePeaks())
        return found;
    if (!m_unrelatedText.empty()) {
        found.verdict
            = {m_unrelatedText, {std::move(found.verdict.headline)}, std::move(found.verdict.change)};
        found.replacements.clear();
        return found;
    }
    std::vector<std::string> sentences;
    ComparedEnds compared = ends();
    if (m_unequalPeaks)
        compared.atEqualSteps.reset(); // the last of these steps has a sentence of its own
    if (std::string outcome = outcomeText(compared, found); !outcome.empty())
        sentences.push_back(std::move(outcome));
    const bool hasOutcome = !sentences.empty();
    if (m_unequalPeaks) {
        sentences.push_back(m_unequalPeaks->text());
        sentences.push_back(m_unequalPeaks->peaksText());
    }
    // With both other sentences, the one on the difference would repeat the memory of both runs.
    if (!m_unequalPeaks || !hasOutcome)
        sentences.push_back(std::move(found.verdict.headline));
    if (std::string reserved = isOfOneDevice() ? std::string() : reservedPeaksText(before(), after());
        !reserved.empty())
        sentences.push_back(std::move(reserved));
    found.verdict.headline = sentences.front();
    found.verdict.details.insert(found.verdict.details.begin(), sentences.begin() + 1, sentences.end());
    return found;
}

DiffFindings RunComparison::diffAtPeaks(GroupKey key) const
{
    return diffAt(before().curve.peak().event, after().curve.peak().event, key);
}

std::string differentBytesText(Quantity beforeQuantity, std::string_view afterName, Quantity afterQuantity)
{
    return fmt::format("counts {} bytes and {} counts {} bytes, so they cannot be compared",
        inWords(beforeQuantity), afterName, inWords(afterQuantity));
}

} // namespace highwater
