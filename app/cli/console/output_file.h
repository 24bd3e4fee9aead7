#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/loading/files/atomic_file.h"
#include "core/base/result.h"

namespace highwater::cli {

/// The output of a command: a file that appears completely or not at all, or "-" for standard output, whose
/// errors `finishOutput` reports.
class OutputFile
{
public:
    /// Creates the output. Fails with BadRequest if it would replace an existing file without `force`, or
    /// one of `inputs` at all, whatever path, symbolic or hard link names it; with CannotRead if it cannot
    /// be created. "-" among the inputs means the file that is standard input.
    static Result<OutputFile> create(
        const std::string& path, bool force, const std::vector<std::string>& inputs);

    /// Creates the output in the same way, but ends the command if that fails.
    static OutputFile need(const std::string& path, bool force, const std::vector<std::string>& inputs);

    /// Returns false if writing to the file failed, now or earlier; `commit` returns the reason.
    bool write(std::string_view bytes);
    /// Flushes a file to disk, so that `commit` cannot run out of space (`AtomicFile::finish`).
    Result<void> finish();
    /// Moves the file into place; without this call it is discarded.
    Result<void> commit();

private:
    explicit OutputFile(std::optional<AtomicFile> file)
        : m_file(std::move(file))
    {
    }
    std::optional<AtomicFile> m_file; ///< nullopt for standard output
};

} // namespace highwater::cli
