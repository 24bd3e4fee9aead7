#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace highwater::tensorboard {

/// The content of one event of the file. Its texts are views into the record.
struct Event
{
    double wallSeconds = 0; ///< seconds since the Unix epoch
    std::int64_t step = 0;
    std::string_view summary; ///< still encoded; empty if there is none
    bool isBroken = false; ///< the record is damaged, and the fields hold what precedes the damage
};

/// One value of a summary. Its tag is a view into the record.
struct Scalar
{
    std::string_view tag;
    std::optional<double> value; ///< unset if it is not a scalar (an image, a histogram)
};

/// Decodes the payload of a record.
Event decodeEvent(std::string_view record);
/// Decodes one value of a summary; of a damaged one, the part before the damage.
Scalar decodeScalar(std::string_view message);

} // namespace highwater::tensorboard
