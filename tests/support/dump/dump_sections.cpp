#include "tests/support/dump/dump_sections.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/support/golden_file.h"

namespace highwater::test {

namespace {

constexpr std::size_t kWholeLines = 150;
constexpr std::size_t kFirstLines = 12; ///< lines shown per section
constexpr std::size_t kLaterLines = 2; ///< lines shown for each further piece of a section

enum class Section
{
    Metadata,
    Segments,
    OlderBlocks,
    Events,
    Spans,
    Activities,
    Counters,
    LogMessages,
    Stacks,
    ImportLog
};

class Hash
{
public:
    void add(std::string_view text)
    {
        for (const char c : text)
            m_value = (m_value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
    std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0xcbf29ce484222325u;
};

bool startsWithDigit(std::string_view line)
{
    return !line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0;
}

std::string_view firstWord(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return text.substr(0, text.find(' '));
}

/// Returns the section that a line begins or continues. A line without a recognizable kind, such as the
/// second line of a text with a line feed, belongs to the section of the line before it.
Section sectionOf(std::string_view line, Section before)
{
    if (line.starts_with("  "))
        return before;
    if (line.starts_with("segment "))
        return Section::Segments;
    if (line.starts_with("older block "))
        return Section::OlderBlocks;
    if (startsWithDigit(line) && before <= Section::Events)
        return Section::Events;
    if (line.starts_with("span "))
        return Section::Spans;
    if (line.starts_with("counter "))
        return Section::Counters;
    if (line.starts_with("stack s"))
        return Section::Stacks;
    if (line.starts_with("log "))
        return Section::ImportLog;
    if (line.find(" lane ") != std::string_view::npos && line.find(" bytes ") != std::string_view::npos)
        return Section::Activities;
    if (line.find(" failure ") != std::string_view::npos || line.starts_with("configuration "))
        return Section::LogMessages;
    return before;
}

std::string_view nameOf(Section section)
{
    static constexpr std::string_view kNames[] = {"metadata", "segments", "older blocks", "events", "spans",
        "activities", "counters", "log messages", "stacks", "import log"};
    return kNames[static_cast<std::size_t>(section)];
}

/// Returns the kind under which a line is counted: an event's action, otherwise the first word.
std::string kindOf(std::string_view line, Section section)
{
    if (section == Section::Events && startsWithDigit(line))
        return std::string(firstWord(line.substr(line.find(' '))));
    if (section == Section::Counters && line.starts_with("  "))
        return "point";
    return std::string(firstWord(line));
}

/// Returns position and length of a stack's number ("s12" or "-") in a line of segments or events.
std::pair<std::size_t, std::size_t> stackIn(std::string_view line, Section section)
{
    std::size_t end = line.size();
    if (section == Section::Events)
        end = line.find(" pair ");
    else if (section == Section::OlderBlocks)
        end = std::min(line.find(" category "), line.size());
    else if (section != Section::Segments)
        return {line.size(), 0};
    if (end == std::string_view::npos)
        return {line.size(), 0};
    const std::size_t space = line.rfind(' ', end - 1);
    return {space + 1, end - space - 1};
}

/// Returns the hash of each stack's frames, by "s12".
std::map<std::string, std::uint64_t, std::less<>> hashesOfStacks(const std::vector<std::string_view>& lines)
{
    std::map<std::string, Hash, std::less<>> hashes;
    Hash* last = nullptr;
    for (const std::string_view line : lines) {
        if (line.starts_with("stack s"))
            last = &hashes[std::string(line.substr(6))];
        else if (!line.starts_with("  "))
            last = nullptr;
        else if (last)
            last->add(line);
    }
    std::map<std::string, std::uint64_t, std::less<>> values;
    for (const auto& [name, hash] : hashes)
        values[name] = hash.value();
    return values;
}

/// Writes the sections piece by piece.
class SectionWriter
{
public:
    explicit SectionWriter(const std::vector<std::string_view>& lines)
        : m_stackHashes(hashesOfStacks(lines))
    {
        for (const std::string_view line : lines)
            add(line);
        endPiece();
    }

    std::string text() const { return m_out; }

private:
    void add(std::string_view line)
    {
        // A device's own lines stay unchanged.
        if (line.starts_with("device ") || line.starts_with("read events ")
            || line.starts_with("end segments ")) {
            beginSection(Section::Metadata);
            if (line.starts_with("device "))
                m_device = std::string(line.substr(7, line.rfind(" events ") - 7)) + " ";
            m_out += std::string(line) + '\n';
            return;
        }
        if (const Section section = sectionOf(line, m_section); section != m_section)
            beginSection(section);
        if (m_section == Section::Metadata) {
            m_out += std::string(line) + '\n';
            return;
        }
        if (beginsItem(line)) {
            if (m_items % itemsInPiece() == 0)
                endPiece();
            ++m_items;
        }
        count(line);
    }

    void beginSection(Section section)
    {
        endPiece();
        m_section = section;
        m_items = m_firstItem = 0;
        m_shown = kFirstLines;
        if (section > Section::Events)
            m_device.clear();
    }

    bool beginsItem(std::string_view line) const
    {
        return m_section == Section::Events ? startsWithDigit(line) : !line.starts_with("  ");
    }

    std::size_t itemsInPiece() const { return m_section == Section::Events ? 1000 : 100; }

    void count(std::string_view line)
    {
        ++m_kinds[kindOf(line, m_section)];
        const auto [begin, length] = stackIn(line, m_section);
        m_rows.add(
            m_section == Section::Stacks && line.starts_with("stack s") ? "stack" : line.substr(0, begin));
        m_rows.add(line.substr(begin + length));
        m_rows.add("\n");
        if (length > 0) {
            const auto found = m_stackHashes.find(line.substr(begin, length));
            m_stacks.add(found == m_stackHashes.end() ? "-" : fmt::format("{:016x}", found->second));
            m_hasStacks = true;
        }
        if (m_head.size() < m_shown)
            m_head.push_back(line);
    }

    void endPiece()
    {
        if (m_kinds.empty())
            return;
        m_out += fmt::format("{}{} {}–{}:", m_device, nameOf(m_section), m_firstItem, m_items - 1);
        for (const auto& [kind, number] : m_kinds)
            m_out += fmt::format(" {} {}", kind, number);
        m_out += fmt::format(" · rows {:016x}", m_rows.value());
        if (m_hasStacks)
            m_out += fmt::format(" · stacks {:016x}", m_stacks.value());
        m_out += '\n';
        for (const std::string_view line : m_head)
            m_out += fmt::format("    {}\n", line);
        m_kinds.clear();
        m_head.clear();
        m_rows = m_stacks = {};
        m_hasStacks = false;
        m_shown = kLaterLines;
        m_firstItem = m_items;
    }

    std::map<std::string, std::uint64_t, std::less<>> m_stackHashes;
    std::string m_out;
    std::string m_device; ///< "cuda:0 " while the device's sections are written
    Section m_section = Section::Metadata;
    std::size_t m_items = 0; ///< number of items in the section so far
    std::size_t m_shown = kFirstLines;
    // The current piece so far:
    std::size_t m_firstItem = 0;
    std::map<std::string, std::size_t> m_kinds;
    Hash m_rows;
    Hash m_stacks;
    bool m_hasStacks = false;
    std::vector<std::string_view> m_head;
};

} // namespace

std::string bySections(std::string_view dump)
{
    const std::vector<std::string_view> lines = linesOf(dump);
    if (lines.size() <= kWholeLines)
        return std::string(dump);
    Hash whole;
    whole.add(dump);
    return SectionWriter(lines).text()
        + fmt::format("whole: lines {} fnv1a {:016x}\n", lines.size(), whole.value());
}

} // namespace highwater::test
