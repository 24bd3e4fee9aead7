#pragma once

#include <map>
#include <vector>

#include "core/analysis/tensor_shapes/tensor_shapes.h"

namespace highwater {

/// The likely shape of some allocations of one size: the best hint, and the number of allocations that it
/// covers.
struct SizeShape
{
    TensorShape shape;
    std::int64_t count = 0;
};

/// The shapes by recorded size, the most frequent first for each size.
using ShapesBySize = std::map<Bytes, std::vector<SizeShape>>;

/// Returns hints for the sizes alive right after an event; sizes without any are left out. O(allocations +
/// different questions × layouts).
ShapesBySize shapesAt(const DeviceStudy& study, const KnownNumbers& numbers, std::int64_t event);

/// Returns one shape per line for display: "12 of [1024, 4096] fp32?  B·T · intermediate", with a question
/// mark below grade B.
std::string shapesText(const std::vector<SizeShape>& shapes);

} // namespace highwater
