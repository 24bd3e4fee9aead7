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
    /// Refuses to replace an existing file unless `force`, and one of `inputs` even then, by whatever path,
    /// symbolic or hard link it is named. "-" among the inputs is what standard input reads from.
    static Result<OutputFile> create(
        const std::string& path, bool force, const std::vector<std::string>& inputs);

    /// The same; ends the command where the output cannot be.
    static OutputFile need(const std::string& path, bool force, const std::vector<std::string>& inputs);

    bool write(std::string_view bytes);
    /// As AtomicFile::finish.
    Result<void> finish();
    /// Moves the file into place; without this call it is discarded.
    Result<void> commit();

private:
    explicit OutputFile(std::optional<AtomicFile> file)
        : m_file(std::move(file))
    {
    }
    std::optional<AtomicFile> m_file; ///< none: standard output
};

} // namespace highwater::cli
