#pragma once

#include <cstdint>
#include <string>

#include "importers/nsys/table_scan.h"

namespace highwater::nsys {

/// Looks up texts in the table StringIds one at a time, by an id that some row refers to. Never reads the
/// complete table, which also contains texts unrelated to the trace, such as the environments of other
/// processes.
class StringLookup
{
public:
    explicit StringLookup(Database& database);

    /// Returns an empty text if the id is unknown. O(log strings), so callers cache frequent ids.
    std::string find(std::int64_t id);

private:
    Statement m_statement;
};

} // namespace highwater::nsys
