#pragma once

#include <string_view>

#include "core/trace/log_event.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// Reads the clauses of an out-of-memory message, in any order.
class OomClauses
{
public:
    explicit OomClauses(const PatternTable& table);

    /// Fills in missing figures from the text; an exact count of bytes replaces the request, and other
    /// processes are added. Returns the number of clauses found.
    int read(std::string_view text, OomFigures& figures) const;
    /// Does the same for the named groups of a match. `unit` applies to amounts without one.
    static void takeGroups(const re2::RE2& regex, const re2::StringPiece* groups, bool binaryUnits,
        std::string_view unit, OomFigures& figures);
    /// True if the request and the reserved bytes are known, after which a message has no further figures.
    static bool isComplete(const OomFigures& figures);

private:
    const PatternTable& m_table;
};

} // namespace highwater::logs
