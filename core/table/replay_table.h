#pragma once

#include <string>

#include "core/analysis/allocator/settings_advice.h"
#include "core/table/table.h"

namespace highwater {

/// Replays of a recording with other allocator settings, one row each: as recorded, then `asked` (named
/// `question`; null: nothing was asked), then the advice, best first. Bytes are of blocks.
Table replayTable(
    const SettingsStudy& study, const std::string& question = {}, const WhatIfResult* asked = nullptr);

/// The row of an advice in that table, when nothing was asked.
inline constexpr std::size_t adviceRow(std::size_t advice)
{
    return advice + 1;
}

} // namespace highwater
