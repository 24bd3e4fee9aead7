#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace highwater::tensorboard {

/// The content of one event of the file. Its texts are views into the record.
struct Event
{
    double wallTime = 0; ///< seconds since the Unix epoch
    std::int64_t step = 0;
    std::string_view summary; ///< still encoded; empty if there is none
    bool isBroken = false;
};

struct Scalar
{
    std::string_view tag;
    std::optional<double> value; ///< unset if it is not a scalar (an image, a histogram)
};

Event decodeEvent(std::string_view record);
/// Decodes one value of a summary.
Scalar decodeScalar(std::string_view message);

} // namespace highwater::tensorboard
