#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "importers/log/figure_sink.h"
#include "importers/log/patterns/memory_words.h"

namespace highwater::logs {

/// Reads figures of memory from lines of no known form: a number with a unit next to words of memory.
///
/// Example: "[qkv done] Allocated: 3000.50 MB, Reserved: 3200.00 MB" gives a point of the series "allocated"
/// and one of "reserved", both with the label "qkv done"; "mem_usage:cuda:1 6.4GB" one of "memory", whose
/// kind is not known, on device 1.
class LooseFigures
{
public:
    LooseFigures(const PatternTable& table, FigureSink& figures);

    /// Whether the text has a word of memory.
    bool speaksOfMemory(std::string_view text) const;
    void read(const LineContext& context);

private:
    /// A number with its unit.
    struct Figure
    {
        std::size_t begin = 0;
        std::size_t end = 0;
        double bytes = 0;
        bool isDecimal = false; ///< GB, MB: which base is meant is not known
        bool isBareUnit = false; ///< "15.00G"
    };
    void findFigures(std::string_view text);
    RecordFacts factsOf(std::string_view text) const;
    const MemoryMeaning* meaningAt(std::string_view text, std::size_t figure, bool& isWhole) const;
    std::optional<std::int64_t> deviceBefore(std::string_view text) const;
    SpecId specOf(const MemoryMeaning& meaning, bool isDecimal);

    const MemoryWords& m_words;
    FigureSink& m_figures;
    std::vector<Figure> m_found;
    std::vector<SpecId> m_specs; ///< two for each meaning
    std::vector<bool> m_hasSpec;
};

} // namespace highwater::logs
