#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// Accepts any SQLite database. Only opening it shows if it is an Nsight Systems export.
bool sniffNsys(std::string_view prefix);

/// Reads SQLite exports of Nsight Systems reports. Format: FORMAT.md; tables: the schema that the program
/// writes, versions 3.7 to 3.25.
///
/// Devices measure DeviceUsed: what the program allocated from the driver. NVTX annotations, marks and steps
/// become spans, NVTX operators become stack frames, memory pools become counters. Calls that allocate or
/// free memory become activities; other calls and GPU work do so only if `ImportOptions::activities` is set.
/// A complete file is read in place (`ImportOptions::plainFilePath`); other content is held in memory.
Result<ImportedTrace> importNsys(std::unique_ptr<ByteSource> source, const ImportOptions& options);

/// True for a report file of Nsight Systems itself (`.nsys-rep`, `.qdrep`, `.qdstrm`), which only that
/// program can read. Recognizes the text with which version 2023.4 begins such a file.
bool sniffNsysReport(std::string_view prefix);
/// Advice for a user who opens such a report.
inline constexpr std::string_view kNsysReportAdvice
    = "is a report that only Nsight Systems reads; export it with \"nsys export --type sqlite --ts-normalize "
      "true REPORT\" and open the .sqlite file";

} // namespace highwater
