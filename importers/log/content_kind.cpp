#include "importers/log/content_kind.h"

#include <algorithm>
#include <vector>

#include "core/base/text_parts.h"
#include "importers/log/configuration_text.h"
#include "importers/log/text/literal_reader.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

std::string_view firstLine(std::string_view text)
{
    return text.substr(0, text.find_first_of("\r\n"));
}

/// True if the first line begins with a complete document; the text then has one document per line.
bool endsInFirstLine(std::string_view text)
{
    return readDictionary(firstLine(text), [](const LiteralLeaf&) {}).has_value();
}

/// Recognizes a header of nvidia-smi's CSV output: at least two columns, one of them of memory.
bool isSmiHeader(const std::vector<std::string_view>& columns)
{
    return columns.size() >= 2 && std::ranges::any_of(columns, [](std::string_view column) {
        return column.starts_with("memory.used") || column.starts_with("memory.total")
            || column.starts_with("memory.free") || column.starts_with("used_gpu_memory");
    });
}

/// Recognizes an nvidia-smi row without a header: at least two figures in MiB.
bool isSmiRow(const std::vector<std::string_view>& columns)
{
    return std::ranges::count_if(columns, [](std::string_view column) {
        return column.ends_with(" MiB") && parseWhole(column.substr(0, column.size() - 4));
    }) >= 2;
}

/// Recognizes a header: at least two names, "step", "_step", "epoch" or "iter" among them, and no figures.
bool isTableHeader(const std::vector<std::string_view>& columns)
{
    const auto isStep
        = [](std::string_view c) { return c == "step" || c == "_step" || c == "epoch" || c == "iter"; };
    return columns.size() >= 2 && std::ranges::any_of(columns, isStep)
        && std::ranges::none_of(
            columns, [](std::string_view c) { return c.empty() || parseNumber(c) || contains(c, ": "); });
}

} // namespace

ContentKind contentKind(std::string_view prefix)
{
    if (prefix.starts_with("\xEF\xBB\xBF"))
        prefix.remove_prefix(3);
    const std::string_view text = prefix.substr(std::min(prefix.find_first_not_of(" \t\r\n"), prefix.size()));
    if (text.starts_with('{')) {
        if (contains(text, "\"cells\"") && contains(text, "\"cell_type\""))
            return ContentKind::Notebook;
        return !endsInFirstLine(text) || contains(text, "\"log_history\"") ? ContentKind::Document
                                                                           : ContentKind::Lines;
    }
    if (text.starts_with("# gpu ") || text.starts_with("#Date "))
        return ContentKind::NvidiaSmiDmon;
    const std::vector<std::string_view> columns = splitArguments(firstLine(text));
    if (isSmiHeader(columns) || isSmiRow(columns))
        return ContentKind::NvidiaSmi;
    return isTableHeader(columns) ? ContentKind::Commas : ContentKind::Lines;
}

} // namespace highwater::logs
