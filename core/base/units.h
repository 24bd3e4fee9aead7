#pragma once

#include <cstdint>

namespace highwater {

/// A size in bytes. Signed, so that differences may be negative.
using Bytes = std::int64_t;
/// A point in time on some clock, or a duration.
using Nanoseconds = std::int64_t;
/// A device address; unsigned, since some systems hand out addresses of 2^63 and above.
using Address = std::uint64_t;

inline constexpr Bytes kKiB = Bytes{1} << 10;
inline constexpr Bytes kMiB = Bytes{1} << 20;
inline constexpr Bytes kGiB = Bytes{1} << 30;
inline constexpr Bytes kTiB = Bytes{1} << 40;

/// Returns the number without its sign. Unlike std::abs, it is defined for the smallest number.
constexpr std::uint64_t magnitude(std::int64_t number)
{
    return number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

/// The largest time, step or index that is accepted from a file, and the negative of the smallest: the
/// difference of two such numbers fits in 64 bits.
inline constexpr std::int64_t kLargestStoredNumber = (std::int64_t{1} << 62) - 1;

/// The largest size of one block, segment, copy or total that is accepted from a file: 256 TiB, more than any
/// machine's memory. Sums of sizes in the rest of the program then do not overflow.
inline constexpr Bytes kLargestStoredSize = Bytes{1} << 48;

/// True for a time that is accepted from a file.
constexpr bool isStoredTime(Nanoseconds time)
{
    return time >= -kLargestStoredNumber && time <= kLargestStoredNumber;
}

} // namespace highwater
