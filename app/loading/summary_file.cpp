#include "app/loading/summary_file.h"

#include "core/base/interruption.h"
#include "core/study/summarize.h"
#include "importers/summary/summary_format.h"
#include "importers/summary/summary_writer.h"

namespace highwater {

SummaryFile summaryFile(const RunStudy& study, const RankIdentity& identity, std::uint64_t fileBytes)
{
    SummaryFile file;
    for (const SummaryDetail& detail : kSummaryDetails) {
        interruptionPoint();
        file.summary = summarize(study, detail);
        file.summary.identity = identity;
        file.summary.source.fileBytes = fileBytes;
        file.bytes = summaryFileBytes(file.summary);
        if (file.bytes.size() <= summary::kMostFileBytes)
            break;
    }
    return file;
}

} // namespace highwater
