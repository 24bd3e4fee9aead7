#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/loading/files/atomic_file.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Where a command writes: a file that appears whole or not at all, or "-" for standard output, whose
/// failures `finishOutput` tells.
class OutputFile
{
public:
    /// Refuses to replace an existing file unless `force`, and one of `inputs` even then, by whatever path,
    /// symbolic or hard link it is named. "-" among the inputs is what standard input reads from.
    static Result<OutputFile> create(
        const std::string& path, bool force, const std::vector<std::string>& inputs);

    bool write(std::string_view bytes);
    /// Puts the file in its place; without it the file is given up.
    Result<void> commit();

private:
    explicit OutputFile(std::optional<AtomicFile> file)
        : m_file(std::move(file))
    {
    }
    std::optional<AtomicFile> m_file; ///< none: standard output
};

} // namespace highwater::cli
