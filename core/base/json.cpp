#include "core/base/json.h"

template class nlohmann::basic_json<>;
template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace highwater {

nlohmann::json parseJson(std::string_view text)
{
    return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::json parseIntegerJson(std::string_view text)
{
    bool isWhole = true;
    const auto check = [&](int, nlohmann::json::parse_event_t, const nlohmann::json& value) {
        isWhole = isWhole && !value.is_number_float();
        return isWhole;
    };
    nlohmann::json value = nlohmann::json::parse(text, check, false);
    return isWhole ? value : nlohmann::json(nlohmann::json::value_t::discarded);
}

nlohmann::ordered_json parseOrderedJson(std::string_view text)
{
    return nlohmann::ordered_json::parse(text, nullptr, false);
}

std::string jsonText(const nlohmann::json& value, int indent)
{
    return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string jsonText(const nlohmann::ordered_json& value, int indent)
{
    return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json textOrNull(std::string_view text)
{
    return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

} // namespace highwater
