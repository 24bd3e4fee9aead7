#include "core/analysis/steps/phase_table.h"

#include <algorithm>
#include <array>

#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 8> kPhaseNames
    = {"unknown", "forward", "backward", "optimizer", "generation", "scoring", "evaluation", "data"};

} // namespace

std::string_view toText(Phase phase)
{
    return kPhaseNames[static_cast<std::size_t>(phase)];
}

std::string phaseNoun(std::string_view phase)
{
    const bool isNoun = phase != toText(Phase::Optimizer) && phase != toText(Phase::Data);
    return std::string(phase) + (isNoun ? "" : " phase");
}

std::optional<Phase> phaseFromText(std::string_view text)
{
    return valueNamed<Phase>(kPhaseNames, text);
}

bool PhaseTable::has(Phase phase) const
{
    return std::ranges::any_of(m_ranges, [phase](const PhaseRange& range) { return range.phase == phase; });
}

Phase PhaseTable::at(std::int64_t event) const
{
    const PhaseRange* const range = rangeAt(event);
    return range ? range->phase : Phase::Unknown;
}

Grade PhaseTable::gradeAt(std::int64_t event) const
{
    const PhaseRange* const range = rangeAt(event);
    return range ? range->grade : Grade::C;
}

const PhaseRange* PhaseTable::rangeAt(std::int64_t event) const
{
    const auto after = std::ranges::upper_bound(m_ranges, event, {}, &PhaseRange::begin);
    return after == m_ranges.begin() || std::prev(after)->end <= event ? nullptr : &*std::prev(after);
}

} // namespace highwater
