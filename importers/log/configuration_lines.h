#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_set.h>

#include "core/trace/log_event.h"
#include "importers/log/line_context.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// Collects a run's configuration from a log: command lines, environment, printed blocks and tables.
/// Withholds the values of settings whose names suggest a secret.
class ConfigurationLines
{
public:
    explicit ConfigurationLines(const PatternTable& table);

    /// Reads a line that contains the pattern's literal. Returns true if the line holds settings or begins a
    /// block of settings.
    bool read(std::size_t pattern, const LineContext& context);

    /// True if a block is open, so that every line must be passed to `continueBlock`.
    bool isBlockOpen() const { return m_openBlock != nullptr; }
    /// Reads the next line of the open block, or closes the block if the line does not belong to it.
    void continueBlock(std::string_view text);

    /// Adds a setting that does not come from a line. Call it only while no block is open.
    void add(std::string_view name, std::string_view value, std::string_view origin);

    std::size_t memoryBytes() const { return m_memoryBytes; }
    /// Closes an open block and returns all entries in file order, each name once for each value.
    std::vector<ConfigurationEntry> take();

private:
    struct YamlLevel
    {
        std::size_t indent;
        std::string name;
    };

    void add(std::string_view name, std::string_view value);
    void addCommand(std::string_view command);
    void addArguments(std::string_view arguments);
    void beginBlock(const ConfigurationPattern& pattern, std::string_view text);
    void endBlock();
    bool continueYaml(std::string_view text);
    bool continueLiteral(std::string_view text);

    const PatternTable& m_table;
    std::vector<ConfigurationEntry> m_entries;
    tsl::robin_set<std::string> m_seen;
    std::size_t m_memoryBytes = 0;
    std::string_view m_origin;
    std::uint64_t m_line = 0;
    const ConfigurationPattern* m_openBlock = nullptr;
    std::size_t m_blockLines = 0;
    std::vector<YamlLevel> m_levels;
    std::string m_literal; ///< the text of the open block so far
    int m_openBrackets = 0;
};

} // namespace highwater::logs
