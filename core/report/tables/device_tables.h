#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/table/sinks/table_cells.h"

namespace highwater {

/// Content and format of the rows.
struct DeviceTableOptions
{
    bool withStacks = true; ///< Adds a column with the frames of each row's stack
    bool withStackIds = false; ///< Adds a column with the number of each row's stack in the trace
    /// Flags of the allocations to write, by allocation; empty to write all.
    std::vector<bool> matches;
    /// Series of other files of the run. Each adds a column, which is empty before the first point.
    std::vector<AuxiliaryLine> auxiliaryFiles;
};

/// A table of one device for other programs, written row by row. Names of byte columns end in `_bytes` and
/// begin with their quantity if they count it ("requested_bytes"); names of times end in `_us` (microseconds
/// since the Unix epoch), except the duration `lifetime_us`. Events count from 0 within the device: the table
/// `curve` begins with event −1, the moment before the first, and `alloc_event` is negative if the block was
/// allocated before the recording. A stack is one text: Python frames, innermost first, separated by "; ", or
/// C++ frames if it has no Python frame.
struct DeviceTable
{
    std::string_view name; ///< "events"
    std::string_view sentence; ///< Describes its rows
    std::vector<std::string> (*columns)(const Device& device, const DeviceTableOptions& options);
    /// Writes all rows, in the order of the columns; stops early if the writer has stopped.
    /// - Time: O(n × log steps) for the n events or allocations of the device, written or not; for the curve,
    ///   O(log points) more for each event and auxiliary file; and the length of the texts.
    /// - Memory: one text for each distinct stack, if the table has stacks.
    void (*write)(const DeviceStudy& study, TableCells& writer, const DeviceTableOptions& options);
    bool takesMatches = false; ///< True if it uses DeviceTableOptions::matches
    bool takesAuxiliaryFiles = false; ///< True if it uses DeviceTableOptions::auxiliaryFiles
};

/// Returns all tables; `export` and its database write each of them. To add one, add a row to the list.
std::span<const DeviceTable> deviceTables();

/// Returns the table with this name, which must exist.
const DeviceTable& deviceTableNamed(std::string_view name);

} // namespace highwater
