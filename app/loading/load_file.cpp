#include "app/loading/load_file.h"

#include <unistd.h>

#include "app/loading/read_ahead_source.h"

namespace highwater {

std::uint64_t defaultMemoryLimit()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0)
        return std::uint64_t{8} << 30;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes) / 4 * 3;
}

namespace {

ImportOptions importOptions(const LoadOptions& options)
{
    ImportOptions import;
    import.maxMemoryBytes = options.maxMemoryBytes ? options.maxMemoryBytes : defaultMemoryLimit();
    if (options.maxInflateBytes)
        import.maxInflateBytes = options.maxInflateBytes;
    import.progress = options.progress;
    import.stop = options.stop;
    import.readAhead = [](std::unique_ptr<ByteSource> source) { return readAhead(std::move(source));
};
return import;
}

} // namespace

Result<ImportedTrace> loadFile(const std::string& path, const LoadOptions& options)
{
    const ImportOptions import = importOptions(options);
    if (options.cache)
        if (const std::optional<std::string> entry = options.cache->find(path))
            if (Result<ImportedTrace> cached = openTrace(*entry, import)) // a damaged entry is read anew
                return cached;
    return openTrace(path, import);
}

} // namespace highwater
