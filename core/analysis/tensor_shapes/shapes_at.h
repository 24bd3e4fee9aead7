#pragma once

#include <map>
#include <vector>

#include "core/analysis/tensor_shapes/tensor_shapes.h"

namespace highwater {

/// The likely shape of some allocations of one size: the best hint, and how many allocations it covers.
struct SizeShape
{
    TensorShape shape;
    std::int64_t count = 0;
};

/// By size as recorded, of each the most frequent first.
using ShapesBySize = std::map<Bytes, std::vector<SizeShape>>;

/// Hints for the sizes that are alive right after an event; sizes without any are left out. O(allocations +
/// questions that differ × layouts).
ShapesBySize shapesAt(const DeviceStudy& study, const KnownNumbers& numbers, std::int64_t event);

/// For people, one shape in each line: "12 of [1024, 4096] fp32?  B·T · intermediate"; a question mark below
/// grade B.
std::string shapesText(const std::vector<SizeShape>& shapes);

} // namespace highwater
