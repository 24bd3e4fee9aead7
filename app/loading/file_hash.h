#pragma once

#include <optional>
#include <string>

namespace highwater {

/// SHA-256 of a file's bytes as 64 hexadecimal digits; none when it cannot be read (again).
std::optional<std::string> sha256OfFile(const std::string& path);

} // namespace highwater
