#include "core/trace/log_event.h"

namespace highwater {

std::string_view toText(LogEvent::Kind kind)
{
    constexpr std::string_view kNames[]
        = {"oom", "warning", "driver-oom", "host-oom", "engine-oom", "unclear", "other"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view toText(LogEvent::Subject subject)
{
    constexpr std::string_view kNames[] = {"unknown", "device", "host", "shared-memory"};
    return kNames[static_cast<std::size_t>(subject)];
}

std::size_t LogEvent::memoryBytes() const
{
    std::size_t bytes = sizeof *this + text.capacity() + process.capacity() + pattern.capacity()
        + speaker.capacity() + subjectId.capacity() + frames.capacity() * sizeof frames[0];
    if (figures)
        bytes += figures->otherProcesses.capacity() * sizeof figures->otherProcesses[0];
    return bytes;
}

} // namespace highwater
