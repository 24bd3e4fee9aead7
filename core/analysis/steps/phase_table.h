#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/steps/grade.h"

namespace highwater {

/// The phases of a training program.
enum class Phase : std::uint8_t
{
    Unknown,
    Forward,
    Backward,
    Optimizer,
    Generation, ///< sampling text: `generate`, vLLM, SGLang
    Scoring, ///< log-probabilities of the reference or the old policy
    Evaluation,
    Data,
};

/// Returns "unknown", "forward", …
std::string_view toText(Phase phase);
/// Returns "forward", "optimizer phase": the name for a sentence, after "the".
std::string phaseNoun(std::string_view phase);
/// Parses a name that `toText` returns; nullopt for any other text.
std::optional<Phase> phaseFromText(std::string_view text);

/// True if the forward of a model runs in the phase; false for backward.
constexpr bool runsForwardOfModel(Phase phase)
{
    return phase == Phase::Forward || phase == Phase::Generation || phase == Phase::Scoring
        || phase == Phase::Evaluation;
}

/// Events [begin, end) of one device in one phase.
struct PhaseRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Phase phase = Phase::Unknown;
    Grade grade = Grade::C;
    bool endsBackward = false; ///< an unknown range in which a step begins, so that no backward continues

    bool operator==(const PhaseRange&) const = default;
};

/// The phases of one device, tiling its events [0, eventCount) in order. Neighbours differ in phase.
class PhaseTable
{
public:
    PhaseTable() = default;
    explicit PhaseTable(std::vector<PhaseRange> ranges)
        : m_ranges(std::move(ranges))
    {
    }

    const std::vector<PhaseRange>& ranges() const { return m_ranges; }
    /// Returns the phase of an event; Unknown before the first event and outside all ranges. O(log ranges).
    Phase at(std::int64_t event) const;
    /// Returns the grade of the phase of an event; `Grade::C` outside all ranges. O(log ranges).
    Grade gradeAt(std::int64_t event) const;
    /// True if any range has that phase. O(ranges).
    bool has(Phase phase) const;

private:
    /// Returns the range of an event; null outside all ranges.
    const PhaseRange* rangeAt(std::int64_t event) const;

    std::vector<PhaseRange> m_ranges;
};

} // namespace highwater
