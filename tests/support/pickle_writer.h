#pragma once

#include "importers/pickle/pickle_writer.h"

namespace highwater::test {

/// The program's own pickle writer, extended by the records of a snapshot.
class PickleWriter : public PickleOpcodes<PickleWriter>
{
public:
    PickleWriter& event(std::string_view action, std::int64_t address, std::int64_t size);
    PickleWriter& frame(std::string_view function, std::string_view file, std::int64_t line);
    /// Writes a segment with a single block that fills it.
    PickleWriter& segment(std::int64_t address, std::int64_t size,
        std::string_view state = "active_allocated", std::int64_t device = 0);
};

} // namespace highwater::test
