#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "importers/log/figure_sink.h"
#include "importers/log/patterns/memory_words.h"

namespace highwater::logs {

/// Reads memory figures from lines in an unrecognized format: a number with a unit next to words about
/// memory.
///
/// Example: "[qkv done] Allocated: 3000.50 MB, Reserved: 3200.00 MB" gives a point in the series "allocated"
/// and one in "reserved", both with the label "qkv done". "mem_usage:cuda:1 6.4GB" gives a point in "memory",
/// whose kind is unknown, on device 1.
class LooseFigures
{
public:
    LooseFigures(const PatternTable& table, FigureSink& figures);

    /// True if the text has a word about memory.
    bool mentionsMemory(std::string_view text) const;
    /// Adds the figures of a line as one record, unless the line is longer than 2,000 bytes or prose.
    void read(const LineContext& context);

private:
    /// A number with its unit.
    struct Figure
    {
        std::size_t begin = 0;
        std::size_t end = 0;
        double bytes = 0;
        bool isDecimal = false; ///< the unit is GB or MB, whose base is unknown
        bool isBareUnit = false; ///< "15.00G"
    };
    void findFigures(std::string_view text);
    RecordFacts factsOf(std::string_view text) const;
    const MemoryMeaning* meaningAt(std::string_view text, std::size_t figure, bool& isWhole) const;
    std::optional<std::int64_t> deviceBefore(std::string_view text) const;
    SpecId specOf(const MemoryMeaning& meaning, bool isDecimal);

    const MemoryWords& m_words;
    FigureSink& m_figures;
    std::vector<Figure> m_foundFigures;
    std::vector<SpecId> m_specs; ///< two per meaning
    std::vector<bool> m_hasSpec;
};

} // namespace highwater::logs
