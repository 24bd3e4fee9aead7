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
    /// Refuses to replace an existing file unless `force`, and one of `inputs` even then, whatever path,
    /// symbolic or hard link names it. "-" among the inputs means the file that is standard input.
    static Result<OutputFile> create(
        const std::string& path, bool force, const std::vector<std::string>& inputs);

    /// Does the same; ends the command if the output cannot be created.
    static OutputFile need(const std::string& path, bool force, const std::vector<std::string>& inputs);

    bool write(std::string_view bytes);
    /// Does the same as `AtomicFile::finish`.
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
