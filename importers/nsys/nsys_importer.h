#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// Any SQLite database; whether it is an export of Nsight Systems shows when it is opened.
bool sniffNsys(std::string_view prefix);

/// SQLite exports of Nsight Systems reports. Format: FORMAT.md; tables: the schema that the program writes,
/// versions 3.7 to 3.25.
///
/// Devices are of quantity DeviceUsed: what the program allocated from the driver. Annotations, marks and
/// steps of NVTX become spans, its operators frames of stacks; memory pools become counters, calls that
/// allocate or free memory become activities, and all other work on the GPU only if
/// `ImportOptions::activities` is set. A file is read in place (`ImportOptions::plainFilePath`); other
/// content is held in memory.
Result<ImportedTrace> importNsys(std::unique_ptr<ByteSource> source, const ImportOptions& options);

/// Whether it is a report of Nsight Systems itself, which only that program can read (`.nsys-rep`, `.qdrep`,
/// `.qdstrm`): recognised by the text at its beginning, as version 2023.4 writes it.
bool sniffNsysReport(std::string_view prefix);
/// Advice for a user who opens such a report.
inline constexpr std::string_view kNsysReportAdvice
    = "is a report of Nsight Systems, which no other program reads: export it with \"nsys export --type "
      "sqlite --ts-normalize true REPORT\" and open the .sqlite file";

} // namespace highwater
