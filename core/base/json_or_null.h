#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

namespace highwater {

/// What is there as JSON; null where nothing is. Whoever calls it includes <nlohmann/json.hpp>.
template <typename Json = nlohmann::ordered_json, typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

} // namespace highwater
