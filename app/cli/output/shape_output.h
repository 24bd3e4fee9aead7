#pragma once

#include <map>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/tensor_shapes/tensor_shapes.h"

namespace highwater::cli {

/// The likely shape of some allocations of one size: the best hint, and how many allocations it covers.
struct SizeShape
{
    TensorShape shape;
    std::int64_t count = 0;
};

/// Hints for the sizes that are alive right after an event, by size as recorded, the most frequent first;
/// sizes without any are left out. O(allocations + questions that differ × layouts).
std::map<Bytes, std::vector<SizeShape>> shapesAt(
    const DeviceStudy& study, const KnownNumbers& numbers, std::int64_t event);

/// "[1,024, 4,096] fp32?  B·T · intermediate": a hint for people, which ends with a question mark below
/// grade B.
std::string shapeText(const TensorShape& shape);

/// {"text", "count", "grade", "element_bytes", "dimensions": [{"size", "name"}], "reason"}
nlohmann::ordered_json shapesJson(const std::vector<SizeShape>& shapes);

} // namespace highwater::cli
