#include "core/analysis/steps/step_table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 8> kSourceNames
    = {"profiler-step", "optimizer-annotation", "nvtx", "log", "frames", "periodicity", "manual", "whole"};

/// Returns "; the last is incomplete" or the like; empty if the first and the last step are complete.
std::string incompleteClause(const std::vector<Step>& steps)
{
    const auto isCut = [](const Step& step) { return step.isCounted() && !step.isComplete; };
    const auto first = std::ranges::find_if(steps, &Step::isCounted);
    const auto last = std::ranges::find_if(steps.rbegin(), steps.rend(), &Step::isCounted);
    if (first == steps.end() || (!isCut(*first) && !isCut(*last)))
        return {};
    if (&*first == &*last)
        return "; it is incomplete";
    if (isCut(*first) && isCut(*last))
        return "; the first and the last are incomplete";
    return isCut(*first) ? "; the first is incomplete" : "; the last is incomplete";
}

} // namespace

std::string_view toText(StepSource source)
{
    return kSourceNames[static_cast<std::size_t>(source)];
}

std::string_view inWords(StepSource source)
{
    static constexpr std::array<std::string_view, 8> kWords{"profiler steps", "optimizer annotations",
        "annotated ranges", "the log", "stacks", "repeating allocations", "chosen events", "the whole trace"};
    return kWords[static_cast<std::size_t>(source)];
}

std::optional<StepSource> stepSourceFromText(std::string_view text)
{
    return valueNamed<StepSource>(kSourceNames, text);
}

std::optional<std::size_t> StepTable::stepOf(std::int64_t event) const
{
    const auto after = std::ranges::upper_bound(steps, event, {}, &Step::begin);
    if (after == steps.begin() || std::prev(after)->end <= event)
        return std::nullopt;
    return static_cast<std::size_t>(after - steps.begin()) - 1;
}

std::string StepTable::nameInRun(std::size_t step) const
{
    const Step& named = steps[step];
    const bool hasOwnNumber = named.source == StepSource::ProfilerStep || named.source == StepSource::Ranges
        || named.source == StepSource::Log;
    return nameText(named.name)
        + (startsLate && !hasOwnNumber && named.isCounted() ? " of the recording" : "");
}

std::string StepTable::placeText(std::int64_t event) const
{
    const std::optional<std::size_t> step = stepOf(event);
    if (!step || source == StepSource::Whole)
        return {};
    return steps[*step].name == Step::kRemainder ? std::string("outside the steps")
                                                 : "in " + nameInRun(*step);
}

std::int64_t StepTable::keptUntil(std::size_t step) const
{
    return steps[std::min(step + 1, steps.size() - 1)].end;
}

std::string StepTable::keptUntilText(std::size_t step) const
{
    return step + 2 >= steps.size() ? std::string("in use at the end of the recording")
                                    : "in use at the end of " + nameInRun(step + 1);
}

std::size_t StepTable::count() const
{
    return static_cast<std::size_t>(std::ranges::count_if(steps, &Step::isCounted));
}

std::size_t StepTable::completeCount() const
{
    return static_cast<std::size_t>(std::ranges::count_if(steps, &Step::isCountedAndComplete));
}

std::string StepTable::countText() const
{
    return source == StepSource::Whole
        ? std::string("no steps")
        : counted(static_cast<std::int64_t>(count()), "step", "steps") + incompleteClause(steps);
}

std::string StepTable::reasonText() const
{
    return grade == Grade::A || source == StepSource::Whole ? reason
                                                            : fmt::format("{} ({})", reason, inWords(grade));
}

std::string StepTable::foundText() const
{
    if (source == StepSource::Whole)
        return countText() + ", " + reasonText();
    return fmt::format("{}, {}{}", counted(static_cast<std::int64_t>(count()), "step", "steps"), reasonText(),
        incompleteClause(steps));
}

std::vector<PhaseRange> phasesWithinSteps(const PhaseTable& phases, const StepTable& steps)
{
    std::vector<PhaseRange> parts;
    for (const PhaseRange& range : phases.ranges()) {
        const auto first = std::ranges::lower_bound(steps.steps, range.begin, {}, &Step::begin);
        PhaseRange rest = range;
        if (first != steps.steps.end() && first->end <= range.end)
            for (auto step = first; step != steps.steps.end() && step->begin < range.end; ++step) {
                if (step->begin <= rest.begin)
                    continue;
                parts.push_back(rest);
                parts.back().end = rest.begin = step->begin;
            }
        parts.push_back(rest);
    }
    return parts;
}

} // namespace highwater
