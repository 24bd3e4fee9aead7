#include "importers/log/document_reader.h"

#include <algorithm>
#include <string>

#include "core/base/text_parts.h"
#include "importers/log/text/literal_reader.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxLeaves = 20'000'000;
constexpr std::size_t kMaxSettings = 1'000;

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Removes a byte order mark and the blanks at the beginning.
std::string_view withoutMarkAndBlanks(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// Finds the line number of a position. Positions must be passed in ascending order; the whole text is read
/// once.
class LineCounter
{
public:
    explicit LineCounter(std::string_view text)
        : m_text(text)
    {
    }
    std::uint64_t lineAt(std::size_t offset)
    {
        const std::size_t end = std::max(m_position, offset);
        const std::string_view passed = m_text.substr(m_position, end - m_position);
        m_line += static_cast<std::uint64_t>(std::ranges::count(passed, '\n'));
        m_position = end;
        return m_line;
    }

private:
    std::string_view m_text;
    std::size_t m_position = 0;
    std::uint64_t m_line = 1;
};

/// Returns the output that a key belongs to: "cells/13/outputs/0/text/57" → "cells/13/outputs/0/text"; empty
/// if it is not the text of an output.
std::string_view outputOf(std::string_view key)
{
    if (!key.starts_with("cells/"))
        return {};
    for (const std::string_view name : {"/text", "/traceback", "/evalue"}) {
        const std::size_t begin = key.find(name);
        const bool isOutput
            = begin != std::string_view::npos && key.find("/outputs/") < begin && !contains(key, "/data/");
        const std::string_view rest = isOutput ? key.substr(begin + name.size()) : std::string_view();
        if (isOutput && (rest.empty() || (rest[0] == '/' && parseWhole(rest.substr(1)))))
            return key.substr(0, begin + name.size());
    }
    return {};
}

/// Joins the pieces of an output into lines.
class OutputLines
{
public:
    explicit OutputLines(LogReader& reader)
        : m_reader(reader)
    {
    }

    void add(std::string_view output, std::string_view text, std::uint64_t line)
    {
        if (output != m_output) {
            flush();
            m_output = output;
        }
        for (const char c : text) {
            if (c == '\n' || c == '\r')
                endLine(line);
            else if (m_text.size() < LineSource::kLongestPiece)
                m_text += c;
        }
        m_line = line;
        if (m_output.ends_with("/traceback")) // its items are complete lines
            flush();
    }

    void flush()
    {
        if (!m_text.empty())
            endLine(m_line);
    }

private:
    void endLine(std::uint64_t line)
    {
        m_reader.read(m_text, line);
        m_text.clear();
    }

    LogReader& m_reader;
    std::string m_output;
    std::string m_text;
    std::uint64_t m_line = 0;
};

/// Splits a key into record and field: "log_history/12/loss" → "log_history/12" and "loss".
std::pair<std::string_view, std::string_view> splitKey(std::string_view key)
{
    for (std::size_t begin = 0; begin < key.size();) {
        const std::size_t end = std::min(key.find('/', begin), key.size());
        if (begin > 0 && end < key.size() && parseWhole(key.substr(begin, end - begin)))
            return {key.substr(0, end), key.substr(end + 1)};
        begin = end + 1;
    }
    return {{}, key};
}

/// Passes one record after the other to the reader.
class DocumentRecords
{
public:
    explicit DocumentRecords(LogReader& reader)
        : m_reader(reader)
    {
    }

    void add(const LiteralLeaf& leaf, std::uint64_t line)
    {
        const auto [record, key] = splitKey(leaf.key);
        if (record.empty()) {
            m_looseValues.emplace_back(leaf.key, leaf.text);
            return;
        }
        if (record != m_name)
            flush();
        m_name = record;
        m_line = line;
        m_pairs.emplace_back(key, leaf.text);
    }

    void flush()
    {
        if (!m_pairs.empty())
            read(m_pairs, m_line);
        m_pairs.clear();
    }

    /// Returns the values outside lists.
    const Pairs& looseValues() const { return m_looseValues; }
    void readLooseValues() { read(m_looseValues, 1); }
    bool hasRecords() const { return !m_name.empty(); }

private:
    void read(const Pairs& pairs, std::uint64_t line)
    {
        LineContext context;
        context.line = line;
        m_reader.readPairs("json-object", pairs, context);
    }

    LogReader& m_reader;
    std::string m_name;
    Pairs m_pairs;
    Pairs m_looseValues;
    std::uint64_t m_line = 0;
};

/// Recognizes what `torch.cuda.memory_stats()` returns.
bool isMemoryStats(const Pairs& pairs)
{
    return std::ranges::any_of(pairs, [](const auto& pair) {
        return pair.first == "allocated_bytes.all.current" || pair.first == "allocated_bytes/all/current";
    });
}

/// True if the text is exactly one dictionary.
bool isOneDictionary(std::string_view text)
{
    const std::optional<std::size_t> end = readDictionary(
        text, [](const LiteralLeaf&) {}, kMaxLeaves);
    return end && trimmed(text.substr(*end)).empty();
}

} // namespace

bool readNotebook(std::string_view text, LogReader& reader)
{
    LineCounter lines(text);
    const std::string_view body = withoutMarkAndBlanks(text);
    const std::size_t skipped = text.size() - body.size();
    OutputLines outputs(reader);
    const auto read = [&](const LiteralLeaf& leaf) {
        if (const std::string_view output = outputOf(leaf.key); !output.empty())
            outputs.add(output, leaf.text, lines.lineAt(skipped + leaf.offset));
    };
    const bool isComplete = readDictionary(body, read, kMaxLeaves).has_value();
    outputs.flush();
    return isComplete;
}

bool readDocument(std::string_view text, LogReader& reader, TraceMetadata& metadata)
{
    const std::string_view body = withoutMarkAndBlanks(text);
    if (!isOneDictionary(body))
        return false;
    LineCounter lines(text);
    const std::size_t skipped = text.size() - body.size();
    DocumentRecords records(reader);
    readDictionary(
        body, [&](const LiteralLeaf& leaf) { records.add(leaf, lines.lineAt(skipped + leaf.offset)); },
        kMaxLeaves);
    records.flush();
    if (isMemoryStats(records.looseValues()))
        metadata.kind = TraceKind::MemoryStats;
    if (!records.hasRecords())
        records.readLooseValues();
    else
        for (std::size_t i = 0; i < records.looseValues().size() && i < kMaxSettings; ++i)
            reader.addSetting(records.looseValues()[i].first, records.looseValues()[i].second, "json");
    return true;
}

} // namespace highwater::logs
