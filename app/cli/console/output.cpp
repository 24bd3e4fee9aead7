#include "app/cli/console/output.h"

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/json.h"

namespace highwater::cli {

namespace {

int s_error = 0; ///< errno of the first write to standard output that failed
thread_local CapturedOutput* t_captured = nullptr;

void keepError()
{
    if (s_error == 0)
        s_error = errno ? errno : EIO;
}

} // namespace

void reserveStandardStreams()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        // Opened for the opposite direction, so that its use fails like the use of a closed stream.
        if (::fcntl(descriptor, F_GETFD) < 0)
            std::ignore = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

CapturedOutput::CapturedOutput()
    : m_outer(std::exchange(t_captured, this))
{
}

CapturedOutput::~CapturedOutput()
{
    t_captured = m_outer;
}

void writeOut(std::string_view text)
{
    if (t_captured) {
        t_captured->out += text;
        return;
    }
    if (s_error == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        keepError();
}

void writeErr(std::string_view text)
{
    if (t_captured) {
        t_captured->err += text;
        return;
    }
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void printDocument(const nlohmann::ordered_json& document)
{
    writeOut(jsonText(document, 2));
    writeOut("\n");
}

Result<void> finishOutput()
{
    if (std::fflush(stdout) != 0)
        keepError();
    if (s_error == 0)
        return {};
    return fail(ErrorCode::CannotRead,
        fmt::format("cannot be written: {}", std::generic_category().message(s_error)));
}

} // namespace highwater::cli
