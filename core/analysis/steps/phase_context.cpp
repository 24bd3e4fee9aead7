#include "core/analysis/steps/phase_context.h"

#include <array>

namespace highwater {

namespace {

/// At most this many events without evidence between two optimizer ranges are a pause; more may be a whole
/// step whose functions have other names.
constexpr std::int64_t kShortPause = 64;
/// At most this many frees within another phase belong to that phase.
constexpr std::int64_t kStragglers = 4;

/// At least this many allocations without a Python frame are more than a library's own.
constexpr std::int64_t kFewestOfBackward = 4;

bool runsModel(Phase phase)
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

/// Events [begin, end) without evidence of their phase, between two ranges with evidence.
struct Silence
{
    const EvidenceSpan* before = nullptr; ///< null at the edges of the trace
    const EvidenceSpan* after = nullptr;
    std::int64_t events = 0;
    std::int64_t allocations = 0;
    std::int64_t fromPython = 0; ///< the part of `allocations` that Python code made
};

Phase phaseOfSilence(const Silence& silence)
{
    if (!silence.before)
        return silence.after && silence.allocations == 0 ? silence.after->evidence.phase : Phase::Unknown;
    const PhaseEvidence& before = silence.before->evidence;
    if (silence.allocations == 0)
        return before.phase;
    const Phase next = silence.after ? silence.after->evidence.phase : Phase::Unknown;
    const bool pause = silence.events <= kShortPause;
    // A forward that calls no module may precede a backward; lifetimes decide later.
    if (next == Phase::Backward && silence.fromPython > 0
        && (before.phase == Phase::Optimizer || before.phase == Phase::Backward))
        return Phase::Unknown;
    if (next == before.phase)
        return before.phase != Phase::Optimizer || pause ? next : Phase::Unknown;
    if (before.source == PhaseSource::Annotation)
        return pause ? next : Phase::Unknown;
    if (before.phase == Phase::Optimizer)
        return next;
    // Python code within a backward is called by the engine or by a function of that name.
    if (before.phase == Phase::Backward && silence.fromPython > 0)
        return Phase::Unknown;
    return before.phase;
}

class ContextFiller
{
public:
    ContextFiller(Column<EvidenceSpan> runs, bool pythonOnly)
        : m_runs(std::move(runs))
        , m_pythonOnly(pythonOnly)
    {
    }

    Column<EvidenceSpan> fill()
    {
        if (m_pythonOnly)
            nameBackward();
        const EvidenceSpan* before = nullptr;
        for (std::size_t i = 0; i < m_runs.size();) {
            if (m_runs[i].evidence.isTelling()) {
                m_runs[i].grade = gradeOf(m_runs[i].evidence.source);
                before = &m_runs[i++];
            } else {
                i = fillSilence(i, before);
            }
        }
        return std::move(m_runs);
    }

private:
    /// Assigns nameless allocations to backward, since autograd's threads leave no Python frame: any after
    /// the model ran, and at least kFewestOfBackward of them if other code has allocated since the last
    /// optimizer.
    void nameBackward()
    {
        Phase last = Phase::Unknown;
        bool ran = false;
        for (EvidenceSpan& run : m_runs) {
            const bool isNameless = run.evidence.source == PhaseSource::NoPython && run.allocations > 0;
            if (isNameless && (runsModel(last) || (ran && run.allocations >= kFewestOfBackward)))
                run.evidence.phase = Phase::Backward;
            if (run.evidence.isTelling())
                last = run.evidence.phase;
            ran = last == Phase::Optimizer && run.evidence.isTelling() ? false : ran || run.allocations > 0;
        }
    }

    std::size_t fillSilence(std::size_t first, const EvidenceSpan* before)
    {
        while (first < m_runs.size() && before && m_runs[first].evidence.source == PhaseSource::ZeroGrad) {
            m_runs[first++].evidence.phase = before->evidence.phase;
        }
        std::size_t last = first;
        Silence silence{before, nullptr};
        for (; last < m_runs.size() && !m_runs[last].evidence.isTelling(); ++last) {
            silence.events += m_runs[last].end - m_runs[last].begin;
            silence.allocations += m_runs[last].allocations;
            if (m_runs[last].evidence.source == PhaseSource::Silent)
                silence.fromPython += m_runs[last].allocations;
        }
        silence.after = last < m_runs.size() ? &m_runs[last] : nullptr;
        const Phase phase = phaseOfSilence(silence);
        for (std::size_t i = first; i < last; ++i) {
            const bool pause = before && m_runs[i].evidence.source == PhaseSource::ZeroGrad;
            m_runs[i].evidence.phase = pause ? before->evidence.phase : phase;
        }
        return last;
    }

    Column<EvidenceSpan> m_runs;
    bool m_pythonOnly;
};

/// Joins a few frees to the phase that surrounds them.
void absorbStragglers(Column<EvidenceSpan>& runs)
{
    for (std::size_t i = 1; i + 1 < runs.size(); ++i) {
        EvidenceSpan& run = runs[i];
        const Phase before = runs[i - 1].evidence.phase;
        if (run.grade == Grade::A || run.allocations > 0 || run.end - run.begin > kStragglers
            || before != runs[i + 1].evidence.phase || before == run.evidence.phase)
            continue;
        run.evidence.phase = before;
        run.grade = Grade::C;
    }
}

/// Merges ranges of one phase; the grade is that of most of their events.
std::vector<PhaseRange> merged(const Column<EvidenceSpan>& runs)
{
    std::vector<PhaseRange> ranges;
    std::array<std::int64_t, 3> events{};
    for (const EvidenceSpan& run : runs) {
        const Phase phase = run.evidence.phase;
        if (ranges.empty() || ranges.back().phase != phase) {
            ranges.push_back({run.begin, run.end, phase, run.grade});
            events = {};
        }
        PhaseRange& range = ranges.back();
        range.end = run.end;
        const std::int64_t now = events[static_cast<std::size_t>(run.grade)] += run.end - run.begin;
        const std::int64_t most = events[static_cast<std::size_t>(range.grade)];
        if (now > most || (now == most && run.grade < range.grade))
            range.grade = run.grade;
    }
    return ranges;
}

} // namespace

std::vector<PhaseRange> phasesFromEvidence(Column<EvidenceSpan> runs, bool pythonOnly)
{
    runs = ContextFiller(std::move(runs), pythonOnly).fill();
    absorbStragglers(runs);
    return merged(runs);
}

} // namespace highwater
