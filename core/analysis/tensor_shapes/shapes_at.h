#pragma once

#include <map>
#include <vector>

#include "core/analysis/tensor_shapes/tensor_shapes.h"

namespace highwater {

/// The likely shape of some allocations of one size, and their number.
struct SizeShape
{
    TensorShape shape;
    std::int64_t count = 0;
};

/// The shapes by recorded size in bytes; for each size, the most frequent shape comes first.
using ShapesBySize = std::map<Bytes, std::vector<SizeShape>>;

/// Returns the likely shapes of the allocations alive right after an event. Omits sizes without a shape.
/// O(allocations × log questions + questions × layouts) for the different questions.
ShapesBySize shapesAt(const DeviceStudy& study, const KnownNumbers& numbers, std::int64_t event);

/// Returns one shape per line for display: "12 of [1024, 4096] fp32?  B·T · intermediate". The question mark
/// means grade C.
std::string shapesText(const std::vector<SizeShape>& shapes);

} // namespace highwater
