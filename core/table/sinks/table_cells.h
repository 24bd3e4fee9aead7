#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace highwater {

/// Receives the cells of a table one by one, row after row. The cell of the last column ends its row.
class TableCells
{
public:
    virtual ~TableCells() = default;

    virtual void text(std::string_view text) = 0;
    virtual void number(std::int64_t value) = 0;
    /// Writes a missing value if `value` is not finite.
    virtual void real(double value) = 0;
    virtual void address(std::uint64_t value) = 0;
    virtual void boolean(bool value) = 0;
    virtual void missing() = 0;
    /// True if further cells are dropped.
    virtual bool stopped() const = 0;

    /// Writes a missing value if there is no value.
    void number(const std::optional<std::int64_t>& value) { value ? number(*value) : missing(); }
    /// Writes a missing value if the text is empty.
    void textOrMissing(std::string_view value) { value.empty() ? missing() : text(value); }
};

} // namespace highwater
