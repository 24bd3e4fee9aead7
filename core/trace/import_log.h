#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace highwater {

enum class Severity : std::uint8_t
{
    Info,
    Warning,
    Error
};

/// Returns "info", "warning", "error".
std::string_view toText(Severity severity);

/// An import message and how often it occurred.
struct ImportLogEntry
{
    Severity severity = Severity::Info;
    std::string code; ///< Kebab-case, stable
    std::string message; ///< One sentence for people
    std::int64_t count = 1;
    std::optional<Place> firstAt;
};

/// The messages of one import, one entry per code, in order of first occurrence.
class ImportLog
{
public:
    /// Increments the count of the entry with this code, or adds the entry. The first message and place are
    /// kept.
    void add(Severity severity, std::string_view code, std::string_view message,
        std::optional<Place> place = {}, std::int64_t count = 1);
    const std::vector<ImportLogEntry>& entries() const { return m_entries; }
    const ImportLogEntry* find(std::string_view code) const;

private:
    std::vector<ImportLogEntry> m_entries;
};

} // namespace highwater
