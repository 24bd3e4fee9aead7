#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// Describes a recording whose earliest events are lost. PyTorch does not count the events that its history
/// buffer drops, so their number is a lower bound.
struct LostStart
{
    /// Allocations whose event is lost: the recorder saw them, because their blocks have its stacks.
    std::int64_t allocationsAtLeast = 0;
    /// Time of the first event, from which on no event is missing; nullopt without times.
    std::optional<Nanoseconds> wholeFrom;
};

/// Returns the lost start if the file says that its history buffer overflowed, or if at least half of the
/// bytes that are live from before the first event to the end have stacks; else nullopt. (A few may have
/// stacks from an earlier recording of the process.) O(allocations).
std::optional<LostStart> lostStart(const AllocationTable& allocations);

/// Returns how the title of the finding about a lost start begins.
std::string_view lostStartTitle(bool isRecorder);
/// True for the title of a finding about a lost start. Summaries keep findings, but not what they are from.
bool tellsLostStart(std::string_view title);

/// Returns "at least 43 earlier allocations are lost; from event 0 on (2026-11-20 10:00:00 UTC), no event is
/// missing".
std::string toText(const LostStart& lost);

} // namespace highwater
