#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/device/device_study.h"

namespace highwater::cli {

/// Returns the size class of a segment as JSON and tables name it: "small", "large" or "unknown".
std::string_view sizeClassText(SegmentType type);

/// Returns the rows of these allocations as `export --what allocations --json` has them, in the order of
/// `wanted`. O(allocations + rows × log rows).
nlohmann::ordered_json allocationRows(
    const DeviceStudy& study, const std::vector<AllocationIndex>& wanted, bool withStacks);

} // namespace highwater::cli
