#pragma once

#include <string>

#include "core/analysis/allocator/settings_advice.h"
#include "core/table/table.h"

namespace highwater {

/// Returns replays of a recording with other allocator settings, one row each. The first row is the
/// recording itself. Then comes `asked`, the settings that the user asked about, named `question`; null
/// omits the row. The advice follows, best first. If there is advice that is not doubtful, the last row
/// counts the other settings that were tried. Bytes are those of blocks.
Table replayTable(
    const SettingsStudy& study, const std::string& question = {}, const WhatIfResult* asked = nullptr);

/// Returns the row of an advice in a `replayTable` whose `asked` is null.
inline constexpr std::size_t adviceRow(std::size_t advice)
{
    return advice + 1;
}

} // namespace highwater
