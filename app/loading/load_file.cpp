#include "app/loading/load_file.h"

#include <new>

#include <sys/stat.h>
#include <unistd.h>

#include "app/loading/files/log_patterns_file.h"
#include "app/loading/files/workspace_store.h"
#include "app/loading/read_ahead_source.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/interruption.h"
#include "core/base/memory_limit.h"

namespace highwater {

std::uint64_t defaultMemoryLimit()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0)
        return std::uint64_t{8} << 30;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes) / 4 * 3;
}

std::uint64_t memoryLimitForLoading()
{
    return memoryLimit() ? memoryLimit() : defaultMemoryLimit();
}

bool isOfNoUse(const Result<ImportedTrace>& imported)
{
    return imported ? isEmptyLog(*imported->trace) : imported.error().code == ErrorCode::UnknownFormat;
}

Error noKnownFormatError()
{
    return {ErrorCode::UnknownFormat, "has no recording and no log with memory figures", {}};
}

namespace {

/// Returns the time of the last write; 0 if unknown.
Nanoseconds fileTime(const std::string& path)
{
    struct stat status
    {
    };
    if (path == "-" || ::stat(path.c_str(), &status) != 0)
        return 0;
    return Nanoseconds{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

ImportOptions importOptions(const std::string& path, const LoadOptions& options)
{
    ImportOptions import;
    import.maxMemoryBytes = options.maxMemoryBytes ? options.maxMemoryBytes : memoryLimitForLoading();
    import.maxInflateBytes = options.maxInflateBytes;
    import.activities = options.activities;
    import.fileTime = fileTime(path);
    import.logPatterns = options.logPatterns ? *options.logPatterns : usersLogPatterns();
    import.progress = options.progress;
    import.stop = options.stop;
    import.readAhead = &readAhead;
    return import;
}

/// Opens the file's cache entry. Fails if there is none or it is damaged; the file itself must then be read.
Result<ImportedTrace> openCached(
    const std::string& path, const TraceCache& cache, const ImportOptions& import)
{
    const std::optional<FileIdentity> file = identityAt(path);
    const std::optional<std::string> entry = file ? cache.find(path, *file) : std::nullopt;
    if (!entry)
        return fail(ErrorCode::CannotRead, "is not in the cache");
    Result<ImportedTrace> cached = openTrace(*entry, import);
    if (cached) {
        cached->file = file;
        cached->fileIsSettled = false; // no need to store it again
    }
    return cached;
}

Result<ImportedTrace> readFile(const std::string& path, const LoadOptions& options)
{
    if (isWorkspaceFile(path))
        return fail(ErrorCode::UnknownFormat, "is a workspace, not a recording; open it in the window");
    try {
        const ImportOptions import = importOptions(path, options);
        if (options.cache && !options.activities && !options.logPatterns)
            if (Result<ImportedTrace> cached = openCached(path, *options.cache, import))
                return cached;
        return openTrace(path, import);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::LimitExceeded, outOfMemoryText());
    } catch (const WorkCancelled&) {
        return fail(ErrorCode::Cancelled, "cancelled");
    }
}

} // namespace

Result<ImportedTrace> loadFile(const std::string& path, const LoadOptions& options)
{
    if (std::optional<ImportedTrace> kept = options.kept ? options.kept->find(path) : std::nullopt)
        return *std::move(kept);
    Result<ImportedTrace> imported = readFile(path, options);
    if (options.kept && imported)
        options.kept->keep(path, *imported);
    return imported;
}

} // namespace highwater
