#pragma once

#include "importers/log/line_context.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// Removes up to 12 prefixes that launchers add to a line ("[rank0]:[rank0]: ", "(TaskRunner pid=104449) ").
/// Keeps the innermost rank and the outermost process.
class PrefixParser
{
public:
    PrefixParser(const PatternTable& table, SeriesStore& series);

    /// Sets `text` and `writer` of the context from its `whole`.
    void parsePrefixes(LineContext& context) const;

private:
    struct Prefix
    {
        const PrefixPattern* pattern;
        int rankGroup;
        int processGroup;
    };
    /// Removes the outermost prefix. Returns false if there is none.
    bool peelOne(LineContext& context) const;

    std::vector<Prefix> m_prefixes;
    SeriesStore& m_series;
};

} // namespace highwater::logs
