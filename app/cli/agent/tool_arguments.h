#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace highwater::cli {

/// Reads the arguments of one call of a tool. What is wrong with them ends the call: `refuse`.
class ToolArguments
{
public:
    using Json = nlohmann::ordered_json;

    /// `schema`: the JSON Schema of the tool, whose properties are the arguments that there are.
    ToolArguments(const Json& arguments, const Json& schema);

    std::optional<std::string> text(const char* name) const;
    std::string textOr(const char* name, const std::string& otherwise) const;
    /// Ends the call where it is missing.
    std::string needText(const char* name) const;
    std::optional<std::int64_t> number(const char* name) const;
    bool flag(const char* name) const;
    std::vector<std::string> texts(const char* name) const;

private:
    const Json* find(const char* name) const;

    const Json& m_arguments;
};

} // namespace highwater::cli
