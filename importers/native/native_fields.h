#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>

#include "core/base/json.h"
#include "core/base/strong_id.h"
#include "core/base/whole_number.h"
#include "core/trace/trace.h"

/// The fields of each type that Highwater's own file stores, defined once for writing and reading.
namespace highwater::native {

using Json = nlohmann::json;

/// The last value of an enumeration. A larger number in a file is read as this value.
template <typename Enum>
inline constexpr auto kLast = nullptr;

/// The fields of a value that is stored as a JSON array.
template <typename T>
inline constexpr std::tuple<> kItems;
/// Members of a JSON object, each a key and a field, that every file has.
template <typename T>
inline constexpr std::tuple<> kNeeded;
/// Members that are omitted if they are empty or have their default value, and that older files may lack.
template <typename T>
inline constexpr std::tuple<> kOptional;

template <typename T>
inline constexpr bool kIsArray = !std::is_same_v<decltype(kItems<T>), const std::tuple<>>;
template <typename T>
inline constexpr bool kIsObject = !std::is_same_v<decltype(kNeeded<T>), const std::tuple<>>;

template <typename T>
concept IdValue = requires(T id)
{
    id.isNone();
};
template <typename T>
concept OptionalValue = requires(T value)
{
    value.has_value();
};
template <typename T>
concept ListOfFields = requires
{
    typename T::value_type;
}
&&(kIsArray<typename T::value_type> || kIsObject<typename T::value_type>);

template <typename T>
bool holdsNothing(const T& value, const T& defaultValue)
{
    if constexpr (OptionalValue<T>)
        return !value.has_value();
    else if constexpr (requires { value.empty(); })
        return value.empty();
    else
        return value == defaultValue;
}

void fromJson(const Json& json, OomFigures& figures);
Json toJson(const OomFigures& figures);

/// Sets the value, or appends to a list. Throws nlohmann's exceptions if something is missing or has another
/// type.
template <typename T>
void fromJson(const Json& json, T& value)
{
    if constexpr (OptionalValue<T>) {
        if (!json.is_null())
            fromJson(json, value.emplace());
    } else if constexpr (std::is_enum_v<T>) {
        value = static_cast<T>(std::clamp(wholeNumber<int>(json), 0, static_cast<int>(kLast<T>)));
    } else if constexpr (IdValue<T>) {
        value = T(wholeNumber<std::uint32_t>(json));
    } else if constexpr (ListOfFields<T>) {
        for (const Json& item : json)
            fromJson(item, value.emplace_back());
    } else if constexpr (kIsArray<T>) {
        std::size_t i = 0;
        std::apply(
            [&](auto... field) { (fromJson(json.at(i++), std::invoke(field, value)), ...); }, kItems<T>);
    } else if constexpr (kIsObject<T>) {
        const auto needed
            = [&](const auto& member) { fromJson(json.at(member.first), value.*member.second); };
        const auto optional = [&](const auto& member) {
            if (json.contains(member.first))
                needed(member);
        };
        std::apply([&](const auto&... member) { (needed(member), ...); }, kNeeded<T>);
        std::apply([&](const auto&... member) { (optional(member), ...); }, kOptional<T>);
    } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
        value = wholeNumber<T>(json);
    } else {
        json.get_to(value);
    }
}

template <typename T>
Json toJson(const T& value)
{
    if constexpr (OptionalValue<T>) {
        return value ? toJson(*value) : Json(nullptr);
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<int>(value);
    } else if constexpr (IdValue<T>) {
        return value.value();
    } else if constexpr (ListOfFields<T>) {
        Json list = Json::array();
        for (const auto& item : value)
            list.push_back(toJson(item));
        return list;
    } else if constexpr (kIsArray<T>) {
        return std::apply(
            [&](auto... field) { return Json::array({toJson(std::invoke(field, value))...}); }, kItems<T>);
    } else if constexpr (kIsObject<T>) {
        Json json;
        const auto needed = [&](const auto& member) { json[member.first] = toJson(value.*member.second); };
        const auto optional = [&](const auto& member) {
            if (!holdsNothing(value.*member.second, T{}.*member.second))
                needed(member);
        };
        std::apply([&](const auto&... member) { (needed(member), ...); }, kNeeded<T>);
        std::apply([&](const auto&... member) { (optional(member), ...); }, kOptional<T>);
        return json;
    } else {
        return value;
    }
}

} // namespace highwater::native
