#include "core/trace/import_log.h"

#include <algorithm>

namespace highwater {

std::string_view toText(Severity severity)
{
    return severity == Severity::Info ? "info" : severity == Severity::Warning ? "warning" : "error";
}

void ImportLog::add(Severity severity, std::string_view code, std::string_view message,
    std::optional<Place> place, std::int64_t count)
{
    auto found
        = std::ranges::find_if(m_entries, [&](const ImportLogEntry& entry) { return entry.code == code; });
    if (found != m_entries.end()) {
        found->count += count;
        found->severity = std::max(found->severity, severity);
        return;
    }
    m_entries.push_back({severity, std::string(code), std::string(message), count, place});
}

const ImportLogEntry* ImportLog::find(std::string_view code) const
{
    auto found
        = std::ranges::find_if(m_entries, [&](const ImportLogEntry& entry) { return entry.code == code; });
    return found == m_entries.end() ? nullptr : &*found;
}

} // namespace highwater
