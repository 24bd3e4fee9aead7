#include "importers/cupti_text/cupti_text_importer.h"

#include "importers/conclude_import.h"
#include "importers/cupti_text/csv_records.h"
#include "importers/cupti_text/printed_records.h"
#include "importers/cupti_text/record_trace.h"
#include "importers/source/peekable_source.h"

namespace highwater {

namespace {

using namespace cupti_text;

constexpr std::size_t kSniffBytes = 64 * 1024;

} // namespace

bool sniffCuptiText(std::string_view prefix)
{
    return sniffPrintedRecords(prefix) || sniffCsvRecords(prefix);
}

Result<ImportedTrace> importCuptiText(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    PeekableSource text(std::move(source));
    const Result<std::string_view> prefix = text.peek(kSniffBytes);
    if (!prefix)
        return tl::unexpected<Error>(prefix.error());
    RecordList list = sniffPrintedRecords(*prefix) ? readPrintedRecords(text, options.maxMemoryBytes)
                                                   : readCsvRecords(text, options.maxMemoryBytes);
    const std::optional<Error> error = list.error;
    return concludeImport(error, list.rows.empty(), [&] {
        TraceBuilder builder;
        fillTrace(std::move(list), builder);
        if (error)
            builder.markCutOff();
        return builder.finish();
    });
}

} // namespace highwater
