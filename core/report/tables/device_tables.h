#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/table/sinks/table_cells.h"

namespace highwater {

/// Content and format of the rows.
struct DeviceTableOptions
{
    bool withStacks = true; ///< a column with the frames of each row's stack
    bool withStackIds = false; ///< a column with the number of each row's stack in the trace
    /// Those that are true, by allocation; empty: all.
    std::vector<bool> matches;
    /// Each gives a column, empty before its first point.
    std::vector<CompanionLine> companions;
};

/// A table of one device for other programs, written row by row. Bytes end in `_bytes` and name their
/// quantity where they count it ("requested_bytes"), times end in `_us` (microseconds since the Unix epoch),
/// events count from 0 within the device. A stack is one text: Python frames innermost first with "; "
/// between them, C++ frames where it has no Python frame.
struct DeviceTable
{
    std::string_view name; ///< "events"
    std::string_view sentence; ///< what its rows are
    std::vector<std::string> (*columns)(const Device& device, const DeviceTableOptions& options);
    /// All rows, in the order of the columns; stops early when the writer has stopped. O(rows), and memory
    /// for one text of each distinct stack.
    void (*write)(const DeviceStudy& study, TableCells& writer, const DeviceTableOptions& options);
    bool takesMatches = false; ///< DeviceTableOptions::matches
    bool takesCompanions = false; ///< DeviceTableOptions::companions
};

/// The one list of them: `export` and its database write each. To add one, give it a row.
std::span<const DeviceTable> deviceTables();

/// The table must be there.
const DeviceTable& deviceTableNamed(std::string_view name);

} // namespace highwater
