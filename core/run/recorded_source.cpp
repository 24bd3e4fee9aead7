#include "core/run/recorded_source.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/run/json_document.h"
#include "core/trace/source_code.h"

namespace highwater {

std::optional<std::string> recordedSource(const TraceMetadata& metadata, std::string_view path)
{
    const auto entry = std::ranges::find(metadata.unknownEntries, kSourceCodeEntry, &NamedText::first);
    if (entry == metadata.unknownEntries.end())
        return std::nullopt;
    const Result<nlohmann::json> files = parseJsonDocument(entry->second, "the recorded source code");
    if (!files || !files->is_object())
        return std::nullopt;
    const auto file = files->find(std::string(path));
    if (file == files->end() || !file->is_string())
        return std::nullopt;
    return file->get<std::string>();
}

} // namespace highwater
