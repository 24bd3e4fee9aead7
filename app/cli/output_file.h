#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace highwater::cli {

/// A file that appears whole or not at all: written beside its place under another name, then renamed.
/// "-" is standard output.
class OutputFile
{
public:
    /// Refuses to replace an existing file unless `force`.
    static Result<OutputFile> create(const std::string& path, bool force);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    OutputFile(const OutputFile&) = delete;
    ~OutputFile();

    bool write(std::string_view bytes);
    /// Puts the file in its place; without it the file is given up.
    Result<void> commit();

private:
    OutputFile(std::string path, std::string temporary, std::FILE* file)
        : m_path(std::move(path))
        , m_temporary(std::move(temporary))
        , m_file(file)
    {
    }
    std::string m_path;
    std::string m_temporary; ///< empty for standard output
    std::FILE* m_file;
    bool m_failed = false;
};

} // namespace highwater::cli
