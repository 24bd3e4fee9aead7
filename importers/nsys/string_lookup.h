#pragma once

#include <cstdint>
#include <string>

#include "importers/nsys/table_scan.h"

namespace highwater::nsys {

/// Texts of the table StringIds, one at a time by the id that some row refers to. The table as a whole is
/// never read: it also holds what belongs to nobody's trace, such as the environments of other processes.
class StringLookup
{
public:
    explicit StringLookup(Database& database);

    /// Empty where there is none. O(log strings); callers keep what they ask for often.
    std::string find(std::int64_t id);

private:
    Statement m_statement;
};

} // namespace highwater::nsys
