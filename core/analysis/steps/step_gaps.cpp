#include "core/analysis/steps/step_boundaries.h"

#include <algorithm>
#include <map>

namespace highwater {

namespace {

/// The steps of one source within one gap.
struct Filling
{
    StepSource source = StepSource::Whole;
    std::vector<StepMark> marks;
};

/// Returns the event ranges outside all of `covered` that contain a forward.
std::vector<EventRange> gapsOf(const StepInput& input, const std::vector<EventRange>& covered)
{
    std::vector<EventRange> gaps;
    std::int64_t position = 0;
    const auto addUpTo = [&](std::int64_t end) {
        if (end > position && runsForward(input, position, end))
            gaps.push_back({position, end});
    };
    for (const EventRange& range : covered) {
        addUpTo(range.first);
        position = std::max(position, range.last);
    }
    addUpTo(input.eventCount());
    return gaps;
}

/// Returns the steps of a source whose forward is entirely within the gap.
std::vector<StepMark> stepsIn(const StepInput& input, const StepBoundaries& other, EventRange gap)
{
    std::vector<StepMark> inside;
    for (std::size_t i = 0; i < other.marks.size(); ++i) {
        const std::int64_t begin = other.marks[i].begin;
        const std::int64_t end = i + 1 < other.marks.size() ? other.marks[i + 1].begin : input.eventCount();
        if (end <= gap.first || begin >= gap.last)
            continue;
        const bool reachesOut = (begin < gap.first && runsForward(input, begin, gap.first))
            || (end > gap.last && runsForward(input, gap.last, end));
        const EventRange shared{std::max(begin, gap.first), std::min(end, gap.last)};
        if (reachesOut || !(input.allocatesIn(shared.first, shared.last) || !other.marks[i].isComplete))
            continue;
        inside.push_back(other.marks[i]);
        inside.back().begin = shared.first;
    }
    return inside;
}

/// Fills gaps with the steps of other sources. Computes the steps of each source once, on first use.
class OtherSources
{
public:
    OtherSources(const StepInput& input,
        const std::function<std::optional<StepBoundaries>(StepSource)>& boundaries,
        std::span<const StepSource> sources)
        : m_input(input)
        , m_boundaries(boundaries)
        , m_sources(sources)
    {
    }

    Filling fillingOf(EventRange gap)
    {
        for (const StepSource source : m_sources) {
            const std::optional<StepBoundaries>& other = boundariesFor(source);
            if (!other || other->grade == Grade::C) // a hint is ignored if a better source exists
                continue;
            Filling filling{source, stepsIn(m_input, *other, gap)};
            for (StepMark& mark : filling.marks)
                mark.sourceAndGrade = {source, other->grade};
            if (!filling.marks.empty())
                return filling;
        }
        return {};
    }
    const std::string& reasonOf(StepSource source) { return boundariesFor(source)->reason; }

private:
    const std::optional<StepBoundaries>& boundariesFor(StepSource source)
    {
        const auto [entry, isNew] = m_boundariesOfSource.try_emplace(source);
        if (isNew)
            entry->second = m_boundaries(source);
        return entry->second;
    }

    const StepInput& m_input;
    const std::function<std::optional<StepBoundaries>(StepSource)>& m_boundaries;
    std::span<const StepSource> m_sources;
    std::map<StepSource, std::optional<StepBoundaries>> m_boundariesOfSource;
};

} // namespace

void fillUncovered(const StepInput& input, StepBoundaries& found,
    const std::function<std::optional<StepBoundaries>(StepSource)>& boundaries,
    std::span<const StepSource> others)
{
    if (found.covered.empty())
        return;
    OtherSources sources(input, boundaries, others);
    std::vector<StepSource> used;
    std::vector<StepMark> added;
    for (const EventRange& gap : gapsOf(input, found.covered)) {
        Filling filling = sources.fillingOf(gap);
        if (filling.marks.empty() && gap.last == input.eventCount() && gap.first > 0 && input.hasForward)
            added.push_back({gap.first, std::string(Step::kRemainder), false});
        if (!filling.marks.empty() && std::ranges::find(used, filling.source) == used.end())
            used.push_back(filling.source);
        std::ranges::move(filling.marks, std::back_inserter(added));
    }
    found.marks.insert(found.marks.begin(), added.begin(), added.end());
    std::ranges::stable_sort(found.marks, {}, &StepMark::begin);
    for (const StepSource source : used)
        found.reason += ", elsewhere " + sources.reasonOf(source);
}

} // namespace highwater
