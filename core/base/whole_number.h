#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "core/base/json.h"

namespace highwater {

/// Returns the number if it is written as an integer and fits the type, else throws nlohmann's type_error.
/// The library's own conversion truncates integers that do not fit, and is undefined for fractions out of
/// range.
template <std::integral T>
T wholeNumber(const nlohmann::json& json)
{
    if (json.is_number_unsigned()) {
        if (const auto value = json.get<std::uint64_t>(); std::in_range<T>(value))
            return static_cast<T>(value);
    } else if (json.is_number_integer()) {
        if (const auto value = json.get<std::int64_t>(); std::in_range<T>(value))
            return static_cast<T>(value);
    }
    throw nlohmann::json::type_error::create(302, "expected a whole number within range", &json);
}

} // namespace highwater
