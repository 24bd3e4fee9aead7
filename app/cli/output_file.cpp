#include "app/cli/output_file.h"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace highwater::cli {

namespace {

std::string lastSystemMessage()
{
    return std::generic_category().message(errno);
}

} // namespace

Result<OutputFile> OutputFile::create(const std::string& path, bool force)
{
    if (path == "-")
        return OutputFile(path, "", stdout);
    if (!force && ::access(path.c_str(), F_OK) == 0)
        return fail(ErrorCode::BadRequest, "exists already; --force replaces it");
    std::string temporary = path + ".part-" + std::to_string(::getpid());
    std::FILE* file = std::fopen(temporary.c_str(), "wb");
    if (!file)
        return fail(ErrorCode::CannotRead, "cannot be written: " + lastSystemMessage());
    return OutputFile(path, std::move(temporary), file);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_temporary(std::move(other.m_temporary))
    , m_file(std::exchange(other.m_file, nullptr))
    , m_failed(other.m_failed)
{
}

OutputFile::~OutputFile()
{
    if (!m_file || m_temporary.empty())
        return;
    std::fclose(m_file);
    std::remove(m_temporary.c_str());
}

bool OutputFile::write(std::string_view bytes)
{
    m_failed = m_failed || std::fwrite(bytes.data(), 1, bytes.size(), m_file) != bytes.size();
    return !m_failed;
}

Result<void> OutputFile::commit()
{
    if (m_temporary.empty()) {
        std::fflush(stdout);
        return {};
    }
    const bool closed = std::fclose(std::exchange(m_file, nullptr)) == 0;
    if (m_failed || !closed || std::rename(m_temporary.c_str(), m_path.c_str()) != 0) {
        const std::string why = lastSystemMessage();
        std::remove(m_temporary.c_str());
        return fail(ErrorCode::CannotRead, "cannot be written: " + why);
    }
    return {};
}

} // namespace highwater::cli
