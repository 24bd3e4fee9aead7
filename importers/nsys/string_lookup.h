#pragma once

#include <cstdint>
#include <string>

#include "importers/nsys/table_scan.h"

namespace highwater::nsys {

/// Looks up single texts in the table StringIds, by ids that rows refer to. Never reads the complete table,
/// which also contains texts unrelated to the trace, such as the environments of other processes.
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
