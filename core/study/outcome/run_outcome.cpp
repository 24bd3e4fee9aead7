#include "core/study/outcome/run_outcome.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/diff/size_cause_text.h"
#include "core/analysis/steps/growth.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Growth counts if it is at least 1/kGrowthPerStepDivisor of the peak per step, and at least
/// 1/kTotalGrowthDivisor of the peak over all fitted steps.
constexpr std::int64_t kGrowthPerStepDivisor = 200;
constexpr std::int64_t kTotalGrowthDivisor = 10;
/// A change below 1/kSmallChangeDivisor of the peak of the earlier run does not count.
constexpr std::int64_t kSmallChangeDivisor = 100;

std::string numberWord(std::size_t number)
{
    static constexpr std::array<const char*, 10> kWords{
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"};
    return number < kWords.size() ? kWords[number] : formatCount(number);
}

/// Returns "4.4–5.6 GiB", both in the unit of the larger one.
std::string rangeText(Bytes least, Bytes most)
{
    static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    double scale = 1;
    while (unit + 1 < kUnits.size() && static_cast<double>(most) / scale >= 1024) {
        scale *= 1024;
        ++unit;
    }
    const std::string low = withoutZeros(fmt::format("{:.1f}", static_cast<double>(least) / scale));
    const std::string high = withoutZeros(fmt::format("{:.1f}", static_cast<double>(most) / scale));
    return low == high ? fmt::format("{} {}", high, kUnits[unit])
                       : fmt::format("{}–{} {}", low, high, kUnits[unit]);
}

/// True if neither the step of the failure nor a later one is complete, or if steps are unknown.
bool endsTheRun(const StepTable& steps, std::int64_t event)
{
    if (steps.source == StepSource::Whole)
        return true;
    const std::optional<std::size_t> step = steps.stepOf(event);
    if (!step)
        return false;
    return std::ranges::none_of(steps.steps.begin() + static_cast<std::ptrdiff_t>(*step), steps.steps.end(),
        &Step::isCountedAndComplete);
}

std::optional<Bytes> significantGrowth(const DeviceStudy& study)
{
    if (study.steps.source == StepSource::Whole)
        return std::nullopt;
    const std::optional<StepGrowth> growth = growthPerStep(study.steps);
    const Bytes peak = study.curve.peak().bytes;
    if (!growth || growth->bytesPerStep <= 0 || growth->bytesPerStep < peak / kGrowthPerStepDivisor)
        return std::nullopt;
    const auto steps = static_cast<Bytes>(growth->lastStep - growth->firstStep);
    return growth->bytesPerStep >= peak / kTotalGrowthDivisor / std::max<Bytes>(steps, 1)
        ? std::optional(growth->bytesPerStep)
        : std::nullopt;
}

/// Returns " in step 13"; empty if steps are unknown.
std::string inStep(const RunEnd& end)
{
    return end.failedIn.empty() ? "" : " " + end.failedIn;
}

/// `growth` must be known.
std::string growthText(const RunEnd& end)
{
    return formatBytes(*end.growth) + " per step";
}

class OutcomeWriter
{
public:
    OutcomeWriter(const ComparedEnds& ends, const DiffFindings& found)
        : m_before(ends.before)
        , m_after(ends.after)
        , m_atEqualSteps(ends.atEqualSteps)
        , m_findings(found)
    {
    }

    std::string text() const
    {
        if (m_before.failedAt && m_after.failedAt)
            return bothFailedText();
        if (m_before.failedAt)
            return noLongerFailsText();
        if (m_after.failedAt)
            return fmt::format(
                "Worse: the later run ran out of memory{} at {}; the earlier run peaked at {} and did not.",
                inStep(m_after), formatBytes(m_after.bytesAtFailure), formatBytes(m_before.peakBytes));
        return noneFailedText();
    }

private:
    Bytes delta() const { return m_after.peakBytes - m_before.peakBytes; }
    /// True if the peak is lower by at least 1/kSmallChangeDivisor of the earlier one.
    bool hasPeakFallen() const { return -delta() * kSmallChangeDivisor >= m_before.peakBytes && delta() < 0; }

    /// Returns "removed two of three copies of the model (10.62 GiB)"; empty if no copy is gone.
    std::string removedCopiesText() const
    {
        Bytes bytes = 0;
        std::size_t removed = 0;
        for (const ExtraModelCopy& copy : m_findings.causes.modelCopies) {
            if (!copy.isGone)
                return {}; // the later run has a new copy, so the model is only created elsewhere
            bytes += copy.bytes;
            ++removed;
        }
        return removed == 0 ? ""
                            : fmt::format("removed {} of {} copies of the model ({})", numberWord(removed),
                                numberWord(removed + 1), formatBytes(bytes));
    }

    /// Returns the largest saving, if it is at least half of the whole: "removed 3.97 GiB in update_cache
    /// (model.py:60)". Else empty.
    std::string largestSavingText() const
    {
        const auto row = std::ranges::find_if(
            m_findings.diff.rows, [](const DiffRow& each) { return each.delta() < 0 && !each.isMoved; });
        // "(no stack)" does not name a place.
        if (row == m_findings.diff.rows.end() || -row->delta() * 2 < -delta()
            || rowLabel(*row).starts_with('('))
            return {};
        return fmt::format("{} {} in {}", row->after.count == 0 ? "removed" : "saves",
            formatBytes(-row->delta()), rowLabel(*row));
    }

    /// Returns what the change did, as a verb phrase; empty if no copy is gone and the peak has not fallen.
    std::string changeText() const
    {
        if (std::string copies = removedCopiesText(); !copies.empty())
            return copies;
        if (!hasPeakFallen())
            return {};
        if (std::string saving = largestSavingText(); !saving.empty())
            return saving;
        // The run may have failed below its peak, so the figure needs the peak it is taken from.
        return fmt::format(
            "lowers the peak by {} from {}", formatBytes(-delta()), formatBytes(m_before.peakBytes));
    }

    /// True if the later run completed more steps than the earlier one, so that it passed the failure.
    bool passesFailure() const
    {
        return !m_before.failedIn.empty() && m_after.completeSteps > m_before.completeSteps;
    }

    std::string endText() const
    {
        return fmt::format("{} {}",
            passesFailure() ? "now completes at" : "no longer runs out of memory and peaks at",
            formatBytes(m_after.peakBytes));
    }

    std::string noLongerFailsText() const
    {
        const bool hasSteps = !m_before.failedIn.empty();
        const std::string change = changeText();
        std::string text = fmt::format("{}the {} {}.",
            m_after.growth        ? "Partly fixed: "
                : passesFailure() ? "Fixed: "
                : hasSteps        ? "Undecided: "
                                  : "",
            change.empty() ? "run" : fmt::format("later run {}, and", change), endText());
        text += fmt::format(
            " Before, it ran out of memory{} at {}.", inStep(m_before), formatBytes(m_before.bytesAtFailure));
        if (m_after.growth)
            text += fmt::format(" Memory {}.", leakText());
        else if (hasSteps && !passesFailure())
            text += " The later recording ends before that step is complete.";
        return upperFirst(std::move(text));
    }

    /// Returns "In the 14 steps that both completed, the later run needs 4.4–5.6 GiB less"; empty if unknown.
    std::string equalStepsText() const
    {
        if (!m_atEqualSteps)
            return {};
        const auto [least, most, steps] = *m_atEqualSteps;
        const std::string start = fmt::format("In the {} steps that both completed, ", formatCount(steps));
        if (least == 0 && most == 0)
            return start + "the peaks are the same";
        if (most < 0)
            return fmt::format("{}the later run needs {} less", start, rangeText(-most, -least));
        if (least > 0)
            return fmt::format("{}the later run needs {} more", start, rangeText(least, most));
        return fmt::format(
            "{}the peaks differ by {} to {}", start, formatBytesDelta(least), formatBytesDelta(most));
    }

    /// Returns the answer on a later run that leaks.
    std::string_view answerOnLeak() const
    {
        if (!m_before.growth)
            return m_before.isGrowthKnown ? "Worse" : "Undecided";
        return *m_after.growth <= *m_before.growth / 2 ? "Partly fixed" : "Not fixed";
    }

    /// Returns "still leaks 0.96 GiB per step (1.07 GiB before)" of a later run that leaks.
    std::string leakText() const
    {
        if (!m_before.growth)
            return fmt::format("{}leaks {}", m_before.isGrowthKnown ? "now " : "", growthText(m_after));
        const PairText leaks = formatPair(*m_before.growth, *m_after.growth);
        return fmt::format("still leaks {} per step ({})", leaks.after,
            *m_before.growth == *m_after.growth ? "as before" : leaks.before + " before");
    }

    std::string bothFailedText() const
    {
        const PairText inUse = formatPair(m_before.bytesAtFailure, m_after.bytesAtFailure);
        std::string text
            = fmt::format("{}: {}the run again runs out of memory{}{} at {}. Before, it ran out{} at {}.",
                m_before.growth && m_after.growth ? answerOnLeak() : "Not fixed",
                m_after.growth ? fmt::format("memory {}, and ", leakText()) : "",
                m_after.failedIn == m_before.failedIn ? "" : ", now", inStep(m_after), inUse.after,
                inStep(m_before), inUse.before);
        const std::string equalSteps = equalStepsText();
        return equalSteps.empty() ? text : fmt::format("{} {}.", text, equalSteps);
    }

    std::string noneFailedText() const
    {
        const std::string copies = removedCopiesText();
        const PairText bytes = formatPair(m_before.peakBytes, m_after.peakBytes);
        const std::string peaks = fmt::format("{}he peak went from {} to {}.",
            copies.empty() ? "T" : fmt::format("The change {}; t", copies), bytes.before, bytes.after);
        if (m_after.growth)
            return fmt::format("{}: memory {}. {}", answerOnLeak(), leakText(), peaks);
        if (!m_before.growth)
            return copies.empty() ? "" : peaks;
        return m_after.isGrowthKnown
            ? fmt::format("Fixed: memory no longer leaks ({} before). {}", growthText(m_before), peaks)
            : fmt::format("Undecided: memory leaked {}; the later run has too few steps to show a leak. {}",
                growthText(m_before), peaks);
    }

    const RunEnd& m_before;
    const RunEnd& m_after;
    const std::optional<StepDifference>& m_atEqualSteps;
    const DiffFindings& m_findings;
};

} // namespace

std::optional<std::int64_t> failureThatEnds(const DeviceStudy& study)
{
    const std::vector<OomEvent>& ooms = study.figures.ooms;
    return ooms.empty() || !endsTheRun(study.steps, ooms.back().event) ? std::nullopt
                                                                       : std::optional(ooms.back().event);
}

RunEnd endOf(const DeviceStudy& study)
{
    RunEnd end;
    end.peakBytes = study.curve.peak().bytes;
    end.growth = significantGrowth(study);
    const bool hasSteps = study.steps.source != StepSource::Whole;
    end.isGrowthKnown = hasSteps && growthPerStep(study.steps);
    if (hasSteps)
        end.completeSteps = study.steps.completeCount();
    end.failedAt = failureThatEnds(study);
    if (!end.failedAt)
        return end;
    end.bytesAtFailure = study.curve.at(*end.failedAt);
    end.failedIn = study.steps.placeText(*end.failedAt);
    return end;
}

std::optional<StepDifference> differenceAtEqualSteps(
    const StepTable& before, const StepTable& after, const AlignedSteps& aligned)
{
    std::optional<StepDifference> difference;
    for (const StepPair& pair : aligned.pairs) {
        if (!pair.before || !pair.after)
            continue;
        const Step& early = before.steps[*pair.before];
        const Step& late = after.steps[*pair.after];
        if (!early.isCountedAndComplete() || !late.isCountedAndComplete())
            continue;
        const Bytes delta = late.peakBytes - early.peakBytes;
        if (!difference)
            difference = {delta, delta, 0};
        difference
            = {std::min(difference->least, delta), std::max(difference->most, delta), difference->pairs + 1};
    }
    return difference && difference->pairs >= 2 ? difference : std::nullopt;
}

std::string outcomeText(const ComparedEnds& ends, const DiffFindings& found)
{
    return OutcomeWriter(ends, found).text();
}

} // namespace highwater
