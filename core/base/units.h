#pragma once

#include <cstdint>

namespace highwater {

/// Sizes are signed so that differences are natural.
using Bytes = std::int64_t;
/// Points in time since the Unix epoch, and durations.
using Nanoseconds = std::int64_t;
/// Device addresses; unsigned, since some systems hand out addresses of 2^63 and above.
using Address = std::uint64_t;

inline constexpr Bytes kKiB = Bytes{1} << 10;
inline constexpr Bytes kMiB = Bytes{1} << 20;
inline constexpr Bytes kGiB = Bytes{1} << 30;
inline constexpr Bytes kTiB = Bytes{1} << 40;

} // namespace highwater
