#include "importers/log/column_reader.h"

#include <algorithm>

#include "core/base/text_parts.h"
#include "importers/log/configuration_text.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxGpus = 1024;

std::string_view withoutQuotes(std::string_view cell)
{
    const bool isQuoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
    return isQuoted ? cell.substr(1, cell.size() - 2) : cell;
}

std::vector<std::string_view> splitAtBlanks(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (std::size_t begin = line.find_first_not_of(" \t"); begin != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
        cells.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(" \t", end);
    }
    return cells;
}

/// True for a figure with the unit MiB.
bool isMebibytes(std::string_view cell)
{
    return cell.ends_with(" MiB");
}

} // namespace

ColumnReader::ColumnReader(ContentKind kind, LogReader& reader)
    : m_kind(kind)
    , m_reader(reader)
{
}

void ColumnReader::read(std::string_view line, std::uint64_t lineNumber)
{
    if (trimmed(line).empty())
        return;
    if (m_kind == ContentKind::NvidiaSmiDmon)
        readDmon(line, lineNumber);
    else
        readCommas(line, lineNumber);
}

/// Recognizes the header, and for nvidia-smi also a repeated one: a restarted loop prints the column names
/// again.
bool ColumnReader::isHeader(const std::vector<std::string_view>& cells) const
{
    if (m_kind == ContentKind::NvidiaSmi)
        return std::ranges::any_of(cells, [](std::string_view cell) {
            return cell.starts_with("memory.") || cell.starts_with("used_gpu_memory");
        });
    return m_columns.empty();
}

/// Guesses columns without names: the largest figure in MiB is the GPU's total, and a whole number below 64
/// in the first column is the GPU's index. Other figures are ignored, because nothing shows whether they are
/// used or free memory.
void ColumnReader::guessColumns(const std::vector<std::string_view>& cells)
{
    std::size_t total = cells.size();
    std::int64_t largest = -1;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (isMebibytes(cells[i]))
            if (const auto value = parseWhole(cells[i].substr(0, cells[i].size() - 4));
                value && *value > largest) {
                largest = *value;
                total = i;
            }
    m_columns.assign(cells.size(), "");
    if (total < cells.size())
        m_columns[total] = "memory.total [MiB]";
    if (cells.size() > 1 && parseWhole(cells[0]) && *parseWhole(cells[0]) < 64)
        m_columns[0] = "index";
    m_reader.noteUnnamedColumns();
}

void ColumnReader::readCommas(std::string_view line, std::uint64_t lineNumber)
{
    std::vector<std::string_view> cells = splitArguments(line);
    for (std::string_view& cell : cells)
        cell = withoutQuotes(cell);
    if (isHeader(cells)) {
        m_columns.assign(cells.begin(), cells.end());
        return;
    }
    if (m_columns.empty())
        guessColumns(cells);
    takeRow(cells, line, lineNumber);
}

void ColumnReader::readDmon(std::string_view line, std::uint64_t lineNumber)
{
    const std::string_view text = trimmed(line);
    if (!text.starts_with('#')) {
        takeRow(splitAtBlanks(text), line, lineNumber);
        return;
    }
    const std::vector<std::string_view> names = splitAtBlanks(trimmed(text.substr(1)));
    if (std::ranges::find(names, "gpu") != names.end()) // the second header line holds units
        m_columns.assign(names.begin(), names.end());
}

/// Identifies the GPU by its uuid or bus id, else by the row's position among the rows of one time. Returns
/// nothing if the row has an index, or none of these.
std::optional<std::int64_t> ColumnReader::deviceOf(const std::vector<std::string_view>& cells)
{
    std::string_view name;
    std::string_view time;
    for (std::size_t i = 0; i < cells.size() && i < m_columns.size(); ++i) {
        if (m_columns[i] == "index" || m_columns[i] == "gpu")
            return std::nullopt; // the record itself has the device
        if (m_columns[i] == "uuid" || m_columns[i] == "pci.bus_id" || m_columns[i] == "gpu_uuid")
            name = cells[i];
        if (m_columns[i] == "timestamp")
            time = cells[i];
    }
    if (!name.empty()) {
        const auto found = std::ranges::find(m_deviceNames, name);
        const auto index = found - m_deviceNames.begin();
        if (found == m_deviceNames.end() && m_deviceNames.size() < kMaxGpus)
            m_deviceNames.emplace_back(name);
        return index;
    }
    if (time.empty())
        return std::nullopt;
    m_rowOfGroup = time == m_groupTime ? m_rowOfGroup + 1 : 0;
    m_groupTime = time;
    return m_rowOfGroup;
}

void ColumnReader::takeRow(
    const std::vector<std::string_view>& cells, std::string_view line, std::uint64_t lineNumber)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i < cells.size() && i < m_columns.size(); ++i)
        if (!m_columns[i].empty() && !cells[i].empty() && m_columns[i] != "timestamp")
            pairs.emplace_back(m_columns[i], cells[i]);
    if (m_kind == ContentKind::NvidiaSmi)
        if (const std::optional<std::int64_t> device = deviceOf(cells))
            pairs.emplace_back("index", std::to_string(*device));
    LineContext context;
    context.line = lineNumber;
    context.whole = context.text = line;
    const std::string_view shape = m_kind == ContentKind::NvidiaSmi ? "nvidia-smi-csv"
        : m_kind == ContentKind::NvidiaSmiDmon                      ? "nvidia-smi-dmon"
                                                                    : "json-object";
    m_reader.readPairs(shape, pairs, context);
}

} // namespace highwater::logs
