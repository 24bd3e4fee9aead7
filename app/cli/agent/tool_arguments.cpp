#include "app/cli/agent/tool_arguments.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "app/cli/agent/short_answer.h"
#include "app/cli/console/refusal.h"
#include "core/analysis/usage/moment_text.h"

namespace highwater::cli {

namespace {

/// True if the value has this type of JSON Schema, or one of several.
bool hasType(const Json& value, const Json& type)
{
    if (type.is_array())
        return std::ranges::any_of(type, [&](const Json& one) { return hasType(value, one); });
    return type == "string" ? value.is_string()
        : type == "integer" ? value.is_number_integer()
        : type == "boolean" ? value.is_boolean()
                            : value.is_array();
}

/// Returns "an integer", "an integer or a string".
std::string typeInWords(const Json& type)
{
    if (!type.is_array()) {
        const std::string name = type;
        return fmt::format("{} {}", name == "integer" || name == "array" ? "an" : "a", name);
    }
    std::string words;
    for (const Json& one : type)
        words += (words.empty() ? "" : " or ") + typeInWords(one);
    return words;
}

/// Returns the names of the known arguments: "files, device, rank".
std::string namesIn(const Json& properties)
{
    std::string names;
    for (const auto& [name, schema] : properties.items())
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

/// Ends the call if the value does not suit the schema.
void checkValue(const std::string& name, const Json& value, const Json& schema)
{
    const Json& type = schema["type"];
    if (value.is_number_unsigned()
        && value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        refuse(name, fmt::format("takes at most {}", std::numeric_limits<std::int64_t>::max()));
    if (!hasType(value, type))
        refuse(name, fmt::format("takes {}", typeInWords(type)));
    if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
        refuse(name, fmt::format("takes one of {}", jsonText(schema["enum"])));
    if (schema.contains("minimum") && value.is_number() && value < schema["minimum"])
        refuse(name, fmt::format("takes at least {}", jsonText(schema["minimum"])));
    if (schema.contains("maximum") && value > schema["maximum"])
        refuse(name, fmt::format("takes at most {}", jsonText(schema["maximum"])));
    if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>())
        refuse(name, fmt::format("takes at most {} entries", jsonText(schema["maxItems"])));
    if (schema.contains("items"))
        for (const Json& item : value)
            checkValue(name, item, schema["items"]);
}

/// Takes one path for `files` as a list of one, also under the name `file`, which some tools had earlier.
Json withFileList(Json arguments, const Json& properties)
{
    if (!properties.contains("files") || !arguments.is_object())
        return arguments;
    if (arguments.contains("file") && !arguments.contains("files")) {
        arguments["files"] = arguments["file"];
        arguments.erase("file");
    }
    if (const auto files = arguments.find("files"); files != arguments.end() && files->is_string())
        *files = Json::array({*files});
    return arguments;
}

} // namespace

ToolArguments::ToolArguments(const Json& given, const Json& schema)
    : m_arguments(withFileList(given, schema["properties"]))
{
    const Json& arguments = m_arguments;
    if (!arguments.is_object())
        refuse("arguments", "are not an object");
    const Json& properties = schema["properties"];
    for (const auto& [name, value] : arguments.items()) {
        if (!properties.contains(name))
            refuse(quotedMessage(name, 200),
                fmt::format("is not an argument of this tool ({})", namesIn(properties)));
        if (!value.is_null())
            checkValue(name, value, properties[name]);
    }
    for (const Json& name : schema["required"]) {
        const Json* const value = find(name.get<std::string>().c_str());
        if (!value || (value->is_array() && value->empty()))
            refuse(name, "is missing");
    }
}

const Json* ToolArguments::find(const char* name) const
{
    const auto found = m_arguments.find(name);
    return found == m_arguments.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> ToolArguments::text(const char* name) const
{
    const Json* const value = find(name);
    return value ? std::optional(value->get<std::string>()) : std::nullopt;
}

std::string ToolArguments::textOr(const char* name, const std::string& otherwise) const
{
    return text(name).value_or(otherwise);
}

std::string ToolArguments::needText(const char* name) const
{
    const std::optional<std::string> value = text(name);
    if (!value)
        refuse(name, "is missing");
    return *value;
}

std::optional<std::int64_t> ToolArguments::number(const char* name) const
{
    const Json* const value = find(name);
    return value ? std::optional(value->get<std::int64_t>()) : std::nullopt;
}

std::optional<std::string> ToolArguments::moment(const char* name) const
{
    const Json* const value = find(name);
    if (!value)
        return std::nullopt;
    std::string text = value->is_string() ? value->get<std::string>() : value->dump();
    if (!namesMoment(text))
        refuse(name, "takes an event, such as 5701, or a time since the first, such as \"1.28s\"");
    return text;
}

bool ToolArguments::flag(const char* name) const
{
    const Json* const value = find(name);
    return value && value->get<bool>();
}

std::vector<std::string> ToolArguments::texts(const char* name) const
{
    const Json* const value = find(name);
    return value ? value->get<std::vector<std::string>>() : std::vector<std::string>();
}

} // namespace highwater::cli
