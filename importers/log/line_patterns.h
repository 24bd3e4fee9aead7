#pragma once

#include <array>
#include <string>
#include <vector>

#include <tsl/robin_map.h>

#include "importers/log/figure_sink.h"
#include "importers/log/key_values.h"

namespace highwater::logs {

/// Reads lines using the table's line patterns.
class LinePatterns
{
public:
    LinePatterns(const PatternTable& table, FigureSink& figures, KeyValues& keyValues);

    /// Starts a new line for the following calls of `read`.
    void beginLine() { m_matchedRanges.clear(); }
    /// Applies the pattern to a line that contains its literal; every match is a record. Skips parts of the
    /// line that an earlier pattern matched. Returns true if there was a record.
    bool read(std::size_t pattern, const LineContext& context);

private:
    using Match = std::array<re2::StringPiece, kMaxGroups>;

    struct RememberedDevice
    {
        std::optional<std::int64_t> device;
        std::uint64_t line = 0;
    };
    struct Range
    {
        std::size_t begin;
        std::size_t end;
    };

    void takeRecord(std::size_t pattern, const LineContext& context, const Match& match);
    RecordFacts factsOf(const LinePattern& pattern, const LineContext& context, const Match& match);
    void takeFigure(std::size_t pattern, std::size_t field, const RecordFacts& facts, const Match& match);
    bool isAlreadyMatched(Range range);

    const PatternTable& m_table;
    FigureSink& m_figures;
    KeyValues& m_keyValues;
    std::vector<std::size_t> m_firstField; ///< index of each pattern's first field among all fields
    std::vector<std::int64_t> m_specs; ///< series of each field; −1 until it is first needed
    tsl::robin_map<std::string, RememberedDevice> m_remembered;
    std::vector<Range> m_matchedRanges; ///< parts of the current line that are already matched
};

} // namespace highwater::logs
