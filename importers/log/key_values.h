#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importers/log/figure_sink.h"
#include "importers/log/series/key_meanings.h"

namespace highwater::logs {

/// Reads records of keys and values, using the table's shapes and its rules for keys. A record counts only if
/// at least one of its keys has a rule, so that code and other dictionaries are ignored.
class KeyValues
{
public:
    KeyValues(const PatternTable& table, FigureSink& figures);

    /// Reads every record of that shape in the line. Returns true if there was one, or if a block began.
    bool read(std::size_t shape, const LineContext& context);
    /// Reads a dictionary at the beginning of the text. Returns the length of the dictionary in bytes; 0 if
    /// there is none or it has no known key.
    std::size_t readLiteral(std::string_view shape, std::string_view text, const LineContext& context);
    /// Reads one record whose pairs are already split. Returns false if no key is known.
    bool readPairs(std::string_view shape, const std::vector<std::pair<std::string, std::string>>& pairs,
        const LineContext& context);

    /// True if a block of lines is open, so that `continueBlock` needs every line.
    bool isBlockOpen() const { return m_block != nullptr; }
    /// Reads the next line of the open block, or ends the block if the line does not belong to it.
    void continueBlock(const LineContext& context);
    /// Ends an open block, for example at the end of the text.
    void endBlock();

    const KeyMeanings& meanings() const { return m_meanings; }

private:
    using Pairs = std::vector<std::pair<std::string, std::string>>;

    bool takeRecord(
        std::string_view shape, const Pairs& pairs, RecordFacts facts, const LineContext& context);
    bool hasKeys(const Pairs& pairs, const std::vector<std::string>& keys) const;
    void takeRole(const KeyRule& rule, std::string_view text, RecordFacts& facts) const;
    void takeFigure(const KeyMeaning& meaning, std::string_view text);
    std::string_view unwrapped(const RecordShape& shape, std::string_view value) const;
    void splitPairs(const RecordShape& shape, std::string_view text);

    const PatternTable& m_table;
    FigureSink& m_figures;
    KeyMeanings m_meanings;
    Pairs m_pairs;
    const RecordShape* m_block = nullptr;
    LineContext m_blockContext;
};

} // namespace highwater::logs
