#include "app/cli/console/output_file.h"

#include <utility>

#include <unistd.h>

#include "app/cli/console/output.h"
#include "app/cli/console/refusal.h"
#include "app/loading/input_paths.h"

namespace highwater::cli {

Result<OutputFile> OutputFile::create(
    const std::string& path, bool force, const std::vector<std::string>& inputs)
{
    if (path == "-")
        return OutputFile(std::nullopt);
    if (isSameFileAsAny(path, inputs))
        return fail(ErrorCode::BadRequest, std::string(kWouldReplaceInput));
    if (!force && ::access(path.c_str(), F_OK) == 0)
        return fail(ErrorCode::BadRequest, "already exists; --force replaces it");
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file)
        return tl::unexpected(file.error());
    return OutputFile(std::move(*file));
}

OutputFile OutputFile::need(const std::string& path, bool force, const std::vector<std::string>& inputs)
{
    return cli::need(path, create(path, force, inputs));
}

bool OutputFile::write(std::string_view bytes)
{
    if (m_file)
        return m_file->write(bytes);
    writeOut(bytes); // finishOutput reports errors at the end
    return true;
}

Result<void> OutputFile::finish()
{
    if (m_file)
        return m_file->finish();
    return {};
}

Result<void> OutputFile::commit()
{
    if (m_file)
        return m_file->commit();
    return {};
}

} // namespace highwater::cli
