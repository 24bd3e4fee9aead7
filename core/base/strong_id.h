#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace highwater {

/// A 32-bit index into one table. Ids of different tables are different types; one value means "none".
template <typename Tag>
class StrongId
{
public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    constexpr StrongId() = default;
    constexpr explicit StrongId(std::uint32_t value)
        : m_value(value)
    {
    }
    constexpr explicit StrongId(std::size_t value)
        : m_value(static_cast<std::uint32_t>(value))
    {
    }

    constexpr bool isNone() const { return m_value == kNone; }
    constexpr std::uint32_t value() const { return m_value; }
    /// Returns the value for indexing a column.
    constexpr std::size_t index() const { return m_value; }

    constexpr auto operator<=>(const StrongId&) const = default;

private:
    std::uint32_t m_value = kNone;
};

} // namespace highwater
