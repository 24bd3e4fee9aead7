#include "core/base/packed_column.h"

#include <algorithm>
#include <array>
#include <span>

namespace highwater {

namespace {

/// How the values of a frame are stored: as the distance from `base`, without the `shift` trailing zero bits,
/// in `width` bytes.
struct Packing
{
    std::int64_t base = 0;
    std::uint8_t shift = 0;
    std::uint8_t width = 0;
};

std::uint64_t distanceOf(std::int64_t value, std::int64_t base)
{
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(base);
}

Packing smallestPacking(std::span<const std::int64_t> values)
{
    Packing packing;
    packing.base = *std::ranges::min_element(values);
    std::uint64_t bits = 0; // all bits that are set in any distance
    for (const std::int64_t value : values)
        bits |= distanceOf(value, packing.base);
    packing.shift = bits == 0 ? 0 : static_cast<std::uint8_t>(std::countr_zero(bits));
    packing.width = static_cast<std::uint8_t>((std::bit_width(bits >> packing.shift) + 7) / 8);
    return packing;
}

} // namespace

/// Adds room for another frame of 8-byte values and returns where it begins, in units of Frame::begin.
std::uint32_t PackedNumbers::addFrameRoom()
{
    const std::size_t begin = m_distances.size();
    const std::size_t end = begin + kFrameRows * kValueBytes;
    if (end + kValueBytes > m_distances.capacity())
        m_distances.reserve(end + kValueBytes + end / 2);
    m_distances.resizeForOverwrite(end);
    return static_cast<std::uint32_t>(begin / kFrameRows);
}

void PackedNumbers::openFrame()
{
    m_frames.push_back({.begin = addFrameRoom()});
    m_openFrame = m_distances.data() + m_frames.back().offset();
}

void PackedNumbers::closeFrame()
{
    std::array<std::int64_t, kFrameRows> values;
    std::memcpy(values.data(), m_openFrame, sizeof values);
    const Packing packing = smallestPacking(values);
    Frame& frame = m_frames.back();
    const bool isLast = frame.offset() + sizeof values == m_distances.size();
    frame.base = packing.base;
    frame.width = packing.width;
    frame.shift = packing.shift;
    frame.mask = packing.width == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * packing.width);
    // Each copy writes 8 bytes; the next copy overwrites those beyond `width`.
    std::byte* target = m_openFrame;
    for (const std::int64_t value : values) {
        const std::uint64_t distance = distanceOf(value, packing.base) >> packing.shift;
        std::memcpy(target, &distance, kValueBytes);
        target += packing.width;
    }
    if (isLast)
        m_distances.resizeForOverwrite(frame.offset() + kFrameRows * packing.width);
}

void PackedNumbers::set(std::size_t i, std::int64_t value)
{
    const std::size_t frameIndex = i / kFrameRows;
    const Frame frame = m_frames[frameIndex];
    const std::uint64_t distance = distanceOf(value, frame.base);
    const std::uint64_t stored = distance >> frame.shift;
    if ((stored & frame.mask) != stored || stored << frame.shift != distance)
        widen(frameIndex);
    const Frame& current = m_frames[frameIndex];
    const std::uint64_t newStored = distanceOf(value, current.base) >> current.shift;
    std::memcpy(
        m_distances.data() + current.offset() + i % kFrameRows * current.width, &newStored, current.width);
}

/// Moves a packed frame to new room for 8-byte values; its old room stays unused.
void PackedNumbers::widen(std::size_t frameIndex)
{
    const Frame wideFrame{.begin = addFrameRoom()};
    for (std::size_t row = 0; row < kFrameRows; ++row) {
        const std::int64_t value = (*this)[frameIndex * kFrameRows + row];
        std::memcpy(m_distances.data() + wideFrame.offset() + row * kValueBytes, &value, kValueBytes);
    }
    m_frames[frameIndex] = wideFrame;
    m_openFrame = m_distances.data() + m_frames.back().offset();
}

} // namespace highwater
