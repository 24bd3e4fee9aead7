#include "core/analysis/steps/phase_annotations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "core/analysis/steps/event_spans.h"
#include "core/analysis/steps/lanes.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::pair<std::string_view, Phase>, 27> kWords = {{
    {"forward", Phase::Forward},
    {"fwd", Phase::Forward},
    {"loss", Phase::Forward},
    {"backward", Phase::Backward},
    {"bwd", Phase::Backward},
    {"optimizer", Phase::Optimizer},
    {"optim", Phase::Optimizer},
    {"generate", Phase::Generation},
    {"generation", Phase::Generation},
    {"rollout", Phase::Generation},
    {"sampling", Phase::Generation},
    {"decode", Phase::Generation},
    {"prefill", Phase::Generation},
    {"logprob", Phase::Scoring},
    {"logprobs", Phase::Scoring},
    {"logps", Phase::Scoring},
    {"scoring", Phase::Scoring},
    {"reference", Phase::Scoring},
    {"reward", Phase::Scoring},
    {"rewards", Phase::Scoring},
    {"evaluate", Phase::Evaluation},
    {"evaluation", Phase::Evaluation},
    {"eval", Phase::Evaluation},
    {"validation", Phase::Evaluation},
    {"data", Phase::Data},
    {"dataloader", Phase::Data},
    {"collate", Phase::Data},
}};

Phase phaseOfWord(std::string_view word)
{
    const auto found
        = std::ranges::find_if(kWords, [word](const auto& entry) { return entry.first == word; });
    return found == kWords.end() ? Phase::Unknown : found->second;
}

/// Flattens nested spans into phases that do not overlap: each event gets the phase of the innermost span.
/// Spans must be opened in order of their begin.
class PhaseFlattener
{
public:
    void open(const EventSpan& span, Phase phase)
    {
        closeUntil(span.begin);
        emitUntil(span.begin);
        m_open.push_back({span.begin, span.end, phase});
    }

    std::vector<AnnotatedPhase> finish(std::int64_t eventCount)
    {
        closeUntil(eventCount);
        return std::move(m_phases);
    }

private:
    /// Spans of several threads may overlap without being nested; then the span opened last counts.
    void closeUntil(std::int64_t event)
    {
        while (!m_open.empty() && m_open.back().end <= event) {
            emitUntil(m_open.back().end);
            m_open.pop_back();
        }
    }

    void emitUntil(std::int64_t event)
    {
        if (!m_open.empty() && m_emittedUpTo < event) {
            const std::int64_t end = std::min(event, m_open.back().end);
            const std::int64_t begin = std::max(m_emittedUpTo, m_open.back().begin);
            if (begin < end)
                m_phases.push_back({begin, end, m_open.back().phase});
        }
        m_emittedUpTo = std::max(m_emittedUpTo, event);
    }

    std::vector<AnnotatedPhase> m_open;
    std::vector<AnnotatedPhase> m_phases;
    std::int64_t m_emittedUpTo = 0;
};

} // namespace

Phase phaseOfAnnotation(std::string_view name)
{
    if (contains(name, "zero_grad") || isInternalAnnotation(name))
        return Phase::Unknown;
    if (isOptimizerStepAnnotation(name))
        return Phase::Optimizer;
    Phase phase = Phase::Unknown;
    std::string word;
    for (std::size_t i = 0; i <= name.size(); ++i) {
        const auto c
            = i < name.size() ? static_cast<unsigned char>(name[i]) : static_cast<unsigned char>(' ');
        if (std::isalpha(c)) {
            word += static_cast<char>(std::tolower(c));
            continue;
        }
        const Phase wordPhase = phaseOfWord(word);
        if (wordPhase != Phase::Unknown && phase != Phase::Unknown && wordPhase != phase)
            return Phase::Unknown;
        phase = wordPhase == Phase::Unknown ? phase : wordPhase;
        word.clear();
    }
    return phase;
}

std::vector<AnnotatedPhase> annotatedPhases(const Trace& trace, DeviceIndex device)
{
    PhaseFlattener flattener;
    visitEventSpans(trace, device, [&](const EventSpan& span) {
        if (span.begin < span.end)
            if (const Phase phase = phaseOfAnnotation(span.name); phase != Phase::Unknown)
                flattener.open(span, phase);
    });
    return flattener.finish(trace.eventCount(device));
}

std::vector<std::int64_t> profilerStepBegins(const Trace& trace, DeviceIndex device)
{
    std::vector<std::int64_t> begins;
    visitEventSpans(trace, device, [&](const EventSpan& span) {
        if (span.span->kind == SpanKind::ProfilerStep)
            begins.push_back(span.begin);
    });
    std::ranges::sort(begins);
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    return begins;
}

} // namespace highwater
