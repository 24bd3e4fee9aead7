#include "app/loading/summary_file.h"

#include <array>
#include <filesystem>

#include "core/base/interruption.h"
#include "core/study/summarize.h"
#include "importers/source/file_source.h"
#include "importers/summary/summary_format.h"
#include "importers/summary/summary_reader.h"
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
        if (file.bytes.size() <= summary::kMaxFileBytes)
            break;
    }
    return file;
}

Result<bool> isSummaryFile(const std::string& path)
{
    std::error_code unknown;
    if (path == "-"
        || (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown)))
        return false;
    Result<std::unique_ptr<ByteSource>> file = openFile(path, {});
    if (!file)
        return tl::unexpected(file.error());
    std::array<std::byte, 8> head{};
    const Result<std::size_t> got = (*file)->read(head);
    if (!got)
        return tl::unexpected(got.error());
    return sniffSummary({reinterpret_cast<const char*>(head.data()), *got});
}

} // namespace highwater
