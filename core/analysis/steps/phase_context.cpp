#include "core/analysis/steps/phase_context.h"

#include <algorithm>
#include <array>

namespace highwater {

namespace {

/// The most events without evidence that count as a pause within the optimizer. More events may be a whole
/// step whose functions have unknown names.
constexpr std::int64_t kShortPause = 64;
/// So few frees in the middle of another phase are assigned to that phase.
constexpr std::int64_t kStragglers = 4;

/// Fewer allocations without a Python frame may be those of a library rather than of backward.
constexpr std::int64_t kFewestBackwardAllocations = 4;

/// True for phases that run a model, forwards or backwards.
bool isModelPhase(Phase phase)
{
    return phase == Phase::Forward || phase == Phase::Backward || phase == Phase::Generation
        || phase == Phase::Scoring || phase == Phase::Evaluation;
}

Grade gradeOf(PhaseSource source)
{
    switch (source) {
    case PhaseSource::Annotation: return Grade::A;
    case PhaseSource::Frames: return Grade::B;
    case PhaseSource::ZeroGrad:
    case PhaseSource::Silent:
    case PhaseSource::NoPython: break;
    }
    return Grade::C;
}

/// Successive events without evidence of their phase, between two ranges with evidence.
struct EvidenceGap
{
    const EvidenceSpan* before = nullptr; ///< null at the start of the trace, and if a step ends there
    const EvidenceSpan* after = nullptr; ///< null at the end of the trace, and if the step ends there
    std::int64_t events = 0;
    std::int64_t allocations = 0;
    std::int64_t pythonAllocations = 0; ///< allocations with a Python frame in their stack
};

/// Returns the phase of a gap. Without allocations, it is the phase before the gap, else the one after it.
/// With allocations, it is the phase before, unless that probably ended: the gap then gets the next phase or
/// stays Unknown.
Phase phaseOfGap(const EvidenceGap& gap)
{
    if (!gap.before)
        return gap.after && gap.allocations == 0 ? gap.after->evidence.phase : Phase::Unknown;
    const PhaseEvidence& before = gap.before->evidence;
    if (gap.allocations == 0)
        return before.phase;
    const Phase next = gap.after ? gap.after->evidence.phase : Phase::Unknown;
    const bool isShort = gap.events <= kShortPause;
    // The gap may be a forward that calls no module; lifetimes decide later.
    if (next == Phase::Backward && gap.pythonAllocations > 0
        && (before.phase == Phase::Optimizer || before.phase == Phase::Backward))
        return Phase::Unknown;
    if (next == before.phase)
        return before.phase != Phase::Optimizer || isShort ? next : Phase::Unknown;
    if (before.source == PhaseSource::Annotation)
        return isShort ? next : Phase::Unknown;
    if (before.phase == Phase::Optimizer)
        return next;
    // Python code that belongs to backward would have a frame of the engine or of a backward function.
    if (before.phase == Phase::Backward && gap.pythonAllocations > 0)
        return Phase::Unknown;
    return before.phase;
}

class ContextFiller
{
public:
    ContextFiller(Column<EvidenceSpan> spans, bool pythonOnly)
        : m_spans(std::move(spans))
        , m_pythonOnly(pythonOnly)
    {
    }

    Column<EvidenceSpan> fill()
    {
        if (m_pythonOnly)
            assignBackward();
        const EvidenceSpan* before = nullptr;
        for (std::size_t i = 0; i < m_spans.size();) {
            if (m_spans[i].evidence.hasPhase()) {
                m_spans[i].grade = gradeOf(m_spans[i].evidence.source);
                before = &m_spans[i++];
            } else {
                i = fillGap(i, before);
            }
        }
        return std::move(m_spans);
    }

private:
    /// Assigns allocations without a Python frame to backward, since it runs on threads without Python. After
    /// a phase of the model, any such allocation counts. If only other code has allocated since the last
    /// optimizer, at least kFewestBackwardAllocations are needed.
    void assignBackward()
    {
        Phase lastPhase = Phase::Unknown;
        bool hasAllocated = false;
        for (EvidenceSpan& span : m_spans) {
            const bool isNameless = span.evidence.source == PhaseSource::NoPython && span.allocations > 0;
            if (isNameless
                && (isModelPhase(lastPhase)
                    || (hasAllocated && span.allocations >= kFewestBackwardAllocations)))
                span.evidence.phase = Phase::Backward;
            if (span.evidence.hasPhase())
                lastPhase = span.evidence.phase;
            hasAllocated = lastPhase == Phase::Optimizer && span.evidence.hasPhase()
                ? false
                : hasAllocated || span.allocations > 0;
        }
    }

    /// Sets the phases from span `first` up to the next span with a phase, and returns the index of that one,
    /// or the number of spans.
    std::size_t fillGap(std::size_t first, const EvidenceSpan* before)
    {
        while (first < m_spans.size() && before && m_spans[first].evidence.source == PhaseSource::ZeroGrad) {
            m_spans[first++].evidence.phase = before->evidence.phase;
        }
        std::size_t last = first;
        while (last < m_spans.size() && !m_spans[last].evidence.hasPhase())
            ++last;
        const EvidenceSpan* const after = last < m_spans.size() ? &m_spans[last] : nullptr;
        const std::size_t stepEnd = endOfBackward(first, last, before);
        for (std::size_t i = first; i < last; ++i)
            m_spans[i].beginsStep = i == stepEnd;
        fillSpans(first, stepEnd, {before, stepEnd < last ? nullptr : after});
        fillSpans(stepEnd, last, {nullptr, after});
        return last;
    }

    /// Returns the first span of [first, last) that begins a step, if the gap follows a backward, has no
    /// Python frames, and allocates in that step: a step does not begin with a backward. Else `last`.
    std::size_t endOfBackward(std::size_t first, std::size_t last, const EvidenceSpan* before) const
    {
        if (!before || before->evidence.phase != Phase::Backward)
            return last;
        std::size_t stepEnd = last;
        std::int64_t allocations = 0;
        for (std::size_t i = first; i < last; ++i) {
            if (m_spans[i].evidence.source == PhaseSource::Silent)
                return last;
            if (m_spans[i].beginsStep)
                stepEnd = std::min(stepEnd, i);
            allocations += stepEnd < last ? m_spans[i].allocations : 0;
        }
        return allocations > 0 ? stepEnd : last;
    }

    /// Sets the phases of the spans [first, last), which are the gap.
    void fillSpans(std::size_t first, std::size_t last, EvidenceGap gap)
    {
        for (std::size_t i = first; i < last; ++i) {
            gap.events += m_spans[i].end - m_spans[i].begin;
            gap.allocations += m_spans[i].allocations;
            if (m_spans[i].evidence.source == PhaseSource::Silent)
                gap.pythonAllocations += m_spans[i].allocations;
        }
        const Phase phase = phaseOfGap(gap);
        for (std::size_t i = first; i < last; ++i) {
            const bool isZeroGrad = gap.before && m_spans[i].evidence.source == PhaseSource::ZeroGrad;
            m_spans[i].evidence.phase = isZeroGrad ? gap.before->evidence.phase : phase;
        }
    }

    Column<EvidenceSpan> m_spans;
    bool m_pythonOnly;
};

/// Assigns at most kStragglers frees between two ranges of one phase to that phase.
void absorbStragglers(Column<EvidenceSpan>& spans)
{
    for (std::size_t i = 1; i + 1 < spans.size(); ++i) {
        EvidenceSpan& span = spans[i];
        const Phase phaseBefore = spans[i - 1].evidence.phase;
        if (span.grade == Grade::A || span.allocations > 0 || span.end - span.begin > kStragglers
            || phaseBefore != spans[i + 1].evidence.phase || phaseBefore == span.evidence.phase)
            continue;
        span.evidence.phase = phaseBefore;
        span.grade = Grade::C;
    }
}

/// Merges adjacent ranges of one phase. The result has the grade of most of its events.
std::vector<PhaseRange> mergedRanges(const Column<EvidenceSpan>& spans)
{
    std::vector<PhaseRange> ranges;
    std::array<std::int64_t, 3> events{};
    for (const EvidenceSpan& span : spans) {
        const Phase phase = span.evidence.phase;
        if (ranges.empty() || ranges.back().phase != phase) {
            ranges.push_back({span.begin, span.end, phase, span.grade});
            events = {};
        }
        PhaseRange& range = ranges.back();
        range.end = span.end;
        range.endsBackward = range.endsBackward || (phase == Phase::Unknown && span.beginsStep);
        const std::int64_t spanGradeEvents = events[static_cast<std::size_t>(span.grade)]
            += span.end - span.begin;
        const std::int64_t rangeGradeEvents = events[static_cast<std::size_t>(range.grade)];
        if (spanGradeEvents > rangeGradeEvents
            || (spanGradeEvents == rangeGradeEvents && span.grade < range.grade))
            range.grade = span.grade;
    }
    return ranges;
}

} // namespace

std::vector<PhaseRange> phasesFromEvidence(Column<EvidenceSpan> spans, bool pythonOnly)
{
    spans = ContextFiller(std::move(spans), pythonOnly).fill();
    absorbStragglers(spans);
    return mergedRanges(spans);
}

} // namespace highwater
