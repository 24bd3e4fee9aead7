#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/column.h"
#include "core/base/index_iterator.h"

namespace highwater {

/// Numbers in frames of 256 values. A full frame takes as many bytes per value as it needs; see PackedColumn.
class PackedNumbers
{
public:
    static_assert(std::endian::native == std::endian::little);

    void push_back(std::int64_t value)
    {
        const std::size_t row = m_size % kFrameRows;
        if (row == 0)
            openFrame();
        std::memcpy(m_openFrame + row * kValueBytes, &value, kValueBytes);
        ++m_size;
        if (row + 1 == kFrameRows)
            closeFrame();
    }

    // The loops over all events read through here; compilers leave it out of line in large units.
    [[gnu::always_inline]] std::int64_t operator[](std::size_t i) const
    {
        const Frame& frame = m_frames[i / kFrameRows];
        std::uint64_t distance = 0; // the read goes past a narrow value; the mask clears the other bits
        std::memcpy(
            &distance, m_distances.data() + frame.offset() + i % kFrameRows * frame.width, kValueBytes);
        return static_cast<std::int64_t>(
            static_cast<std::uint64_t>(frame.base) + ((distance & frame.mask) << frame.shift));
    }

    void set(std::size_t i, std::int64_t value);
    std::size_t size() const { return m_size; }
    std::size_t memoryBytes() const { return m_distances.memoryBytes() + m_frames.memoryBytes(); }

private:
    static constexpr std::size_t kFrameRows = 256;
    static constexpr std::size_t kValueBytes = sizeof(std::int64_t);

    struct Frame
    {
        std::int64_t base = 0; ///< Smallest value of a packed frame, 0 in others
        std::uint64_t mask = ~std::uint64_t{0}; ///< Selects the bits of a distance
        std::uint32_t begin = 0; ///< Offset in m_distances, in units of kFrameRows bytes
        std::uint8_t width = kValueBytes; ///< Bytes of a distance
        std::uint8_t shift = 0; ///< Number of low bits that are zero in every distance

        std::size_t offset() const { return std::size_t{begin} * kFrameRows; }
    };

    std::uint32_t addFrameRoom();
    void openFrame();
    void closeFrame();
    void widen(std::size_t frameIndex);

    Column<Frame> m_frames; ///< The last frame is not packed until it is full
    Column<std::byte> m_distances;
    std::byte* m_openFrame = nullptr; ///< The frame being filled
    std::size_t m_size = 0;
};

/// A growing array of numbers or ids that uses few bytes where neighbours are similar: addresses, sizes and
/// times are eight bytes wide, but those of successive events differ little.
///
/// Each 256 values form a frame, which stores their distances from its smallest value, without the trailing
/// zero bits common to all, in as few whole bytes as possible: in no bytes if all values are equal. Reading a
/// value takes a few instructions more than from a Column. Move-only.
template <typename T>
class PackedColumn
{
    static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));

public:
    using Iterator = IndexIterator<PackedColumn>;

    void push_back(T value) { m_numbers.push_back(widened(value)); }
    T operator[](std::size_t i) const { return narrowed(m_numbers[i]); }
    T back() const { return (*this)[size() - 1]; }
    /// Changes a value. O(1). If the value does not fit its frame, each value of the frame takes eight bytes
    /// from then on.
    void set(std::size_t i, T value) { m_numbers.set(i, widened(value)); }
    std::size_t size() const { return m_numbers.size(); }
    bool empty() const { return size() == 0; }
    std::size_t memoryBytes() const { return m_numbers.memoryBytes(); }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

    /// Extends the sign: the id that means "none" becomes −1, next to the ids that count from 0.
    static std::int64_t widened(T value) { return std::bit_cast<Bits>(value); }
    static T narrowed(std::int64_t value) { return std::bit_cast<T>(static_cast<Bits>(value)); }

    PackedNumbers m_numbers;
};

/// A column that stays empty until the first value other than T{} is written. Rows that were never written
/// read as T{}.
template <typename T>
class SparseColumn
{
public:
    void set(std::size_t row, T value)
    {
        if (value == T{} && row >= m_values.size())
            return;
        while (row > m_values.size())
            m_values.push_back(T{});
        if (row == m_values.size())
            m_values.push_back(value);
        else
            m_values.set(row, value);
    }

    T get(std::size_t row) const { return row < m_values.size() ? m_values[row] : T{}; }
    bool empty() const { return m_values.empty(); }
    std::size_t memoryBytes() const { return m_values.memoryBytes(); }

private:
    PackedColumn<T> m_values;
};

} // namespace highwater
