#include "core/analysis/steps/step_table.h"

#include <algorithm>
#include <array>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 8> kSourceNames
    = {"profiler-step", "optimizer-annotation", "nvtx", "log", "frames", "periodicity", "manual", "whole"};

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

std::string StepTable::placeText(std::int64_t event) const
{
    const std::optional<std::size_t> step = stepOf(event);
    if (!step || source == StepSource::Whole)
        return {};
    const std::string& name = steps[*step].name;
    return name == Step::kRemainder ? std::string("outside the steps") : "in " + nameText(name);
}

std::int64_t StepTable::keptUntil(std::size_t step) const
{
    return steps[std::min(step + 1, steps.size() - 1)].end;
}

std::string StepTable::keptUntilText(std::size_t step) const
{
    return step + 2 >= steps.size() ? std::string("in use at the end of the recording")
                                    : "in use at the end of " + steps[step + 1].name;
}

std::size_t StepTable::count() const
{
    return static_cast<std::size_t>(std::ranges::count_if(steps, &Step::isCounted));
}

std::string StepTable::countText() const
{
    if (source == StepSource::Whole)
        return "no steps";
    std::string text = counted(static_cast<std::int64_t>(count()), "step", "steps");
    const auto isCut = [](const Step& step) { return step.isCounted() && !step.isComplete; };
    const auto first = std::ranges::find_if(steps, &Step::isCounted);
    const auto last = std::ranges::find_if(steps.rbegin(), steps.rend(), &Step::isCounted);
    if (first == steps.end())
        return text;
    if (&*first == &*last)
        return text + (isCut(*first) ? ", incomplete" : "");
    if (isCut(*first) && isCut(*last))
        return text + ", the first and the last incomplete";
    return text + (isCut(*first) ? ", the first incomplete" : isCut(*last) ? ", the last incomplete" : "");
}

} // namespace highwater
