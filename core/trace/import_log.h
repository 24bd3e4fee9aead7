#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace highwater {

/// How much an import message matters, ascending.
enum class Severity : std::uint8_t
{
    Info,
    Warning,
    Error
};

/// Returns "info", "warning", "error".
std::string_view toText(Severity severity);

/// An import message, and the number of its occurrences.
struct ImportLogEntry
{
    Severity severity = Severity::Info; ///< The worst of all occurrences
    std::string code; ///< Kebab-case, stable
    std::string message; ///< One sentence for people
    std::int64_t count = 1;
    std::optional<Place> firstAt; ///< Place of the first occurrence, if it has one
};

/// The messages of one import, one entry per code, in order of first occurrence.
class ImportLog
{
public:
    /// Adds `count` to the entry with this code, or adds the entry. An entry keeps its first message and
    /// place, and gets the worst severity. O(entries).
    void add(Severity severity, std::string_view code, std::string_view message,
        std::optional<Place> place = {}, std::int64_t count = 1);
    const std::vector<ImportLogEntry>& entries() const { return m_entries; }
    /// Returns the entry with this code; null if there is none. The pointer is valid until the next `add`.
    /// O(entries).
    const ImportLogEntry* find(std::string_view code) const;

private:
    std::vector<ImportLogEntry> m_entries;
};

} // namespace highwater
