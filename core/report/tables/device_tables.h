#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/report/tables/table_cells.h"

namespace highwater {

/// Tables of one device for other programs, written row by row.
enum class DeviceTable : std::uint8_t
{
    Events, ///< every event in file order
    Allocations, ///< in stacking order: those older than the trace first, then by birth
    Curve, ///< the totals before the first event (event −1) and after each one
    Steps, ///< boundaries and totals, and the bytes of each category at the step's peak
};

/// Content and format of the rows.
struct DeviceTableOptions
{
    bool withStacks = true; ///< a column with the frames of each row's stack
    bool withStackIds = false; ///< a column with the number of each row's stack in the trace
    /// Allocations only: the true ones, by allocation; empty: all.
    std::vector<bool> matches;
    /// Curve only: each gives a column, empty before its first point.
    std::vector<CompanionLine> companions;
};

/// Names of the columns. Bytes end in `_bytes` and name their quantity where they count it
/// ("requested_bytes"), times end in `_us` (microseconds since the Unix epoch), events count from 0 within
/// the device.
std::vector<std::string> columnsOf(
    DeviceTable table, const Device& device, const DeviceTableOptions& options = {});

/// Writes all rows, in the order of `columnsOf`; stops early when the writer has stopped. A stack is one
/// text: Python frames innermost first with "; " between them, C++ frames where it has no Python frame.
/// O(rows), and memory for one text of each distinct stack.
void writeRows(
    DeviceTable table, const DeviceStudy& study, TableCells& writer, const DeviceTableOptions& options = {});

} // namespace highwater
