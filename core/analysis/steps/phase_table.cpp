#include "core/analysis/steps/phase_table.h"

#include <algorithm>
#include <array>

namespace highwater {

namespace {

constexpr std::array<std::string_view, 8> kNames
    = {"unknown", "forward", "backward", "optimizer", "generation", "scoring", "evaluation", "data"};

} // namespace

std::string_view toText(Phase phase)
{
    return kNames[static_cast<std::size_t>(phase)];
}

std::optional<Phase> phaseFromText(std::string_view text)
{
    const auto found = std::find(kNames.begin(), kNames.end(), text);
    if (found == kNames.end())
        return std::nullopt;
    return static_cast<Phase>(found - kNames.begin());
}

bool PhaseTable::tells(Phase phase) const
{
    return std::any_of(
        m_ranges.begin(), m_ranges.end(), [phase](const PhaseRange& range) { return range.phase == phase; });
}

Phase PhaseTable::at(std::int64_t event) const
{
    const auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), event,
        [](std::int64_t wanted, const PhaseRange& range) { return wanted < range.begin; });
    if (after == m_ranges.begin() || std::prev(after)->end <= event)
        return Phase::Unknown;
    return std::prev(after)->phase;
}

} // namespace highwater
