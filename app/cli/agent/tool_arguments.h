#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace highwater::cli {

/// The checked arguments of one tool call. An invalid one ends the call (`refuse`). Null is the same as a
/// missing argument; a required list must not be empty. A tool that takes `files` also takes one path, under
/// that name or `file`.
class ToolArguments
{
public:
    using Json = nlohmann::ordered_json;

    /// Checks the arguments. `schema` is the JSON Schema of the tool; its properties are the known arguments.
    ToolArguments(const Json& arguments, const Json& schema);

    std::optional<std::string> text(const char* name) const;
    std::string textOr(const char* name, const std::string& otherwise) const;
    /// Ends the call if the argument is missing.
    std::string needText(const char* name) const;
    std::optional<std::int64_t> number(const char* name) const;
    /// Returns a moment as text: an event that was given as a number, or a text such as "1.28s". Ends the
    /// call if the text names no moment (`namesMoment`).
    std::optional<std::string> moment(const char* name) const;
    bool flag(const char* name) const;
    std::vector<std::string> texts(const char* name) const;

    /// Returns an argument as it was given; null if it is missing.
    const Json* find(const char* name) const;

private:
    Json m_arguments;
};

} // namespace highwater::cli
