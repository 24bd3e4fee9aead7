#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace highwater::tensorboard {

/// What one event of the file says; views into the record.
struct Event
{
    double wallTime = 0; ///< seconds since the Unix epoch
    std::int64_t step = 0;
    std::string_view summary; ///< encoded; empty: none
    bool isBroken = false;
};

struct Scalar
{
    std::string_view tag;
    std::optional<double> value; ///< none: no scalar (an image, a histogram)
};

Event decodeEvent(std::string_view record);
/// A value of a summary.
Scalar decodeScalar(std::string_view message);

} // namespace highwater::tensorboard
