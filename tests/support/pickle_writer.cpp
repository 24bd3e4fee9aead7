#include "tests/support/pickle_writer.h"

namespace highwater::test {

PickleWriter& PickleWriter::event(std::string_view action, std::int64_t address, std::int64_t size)
{
    return emptyDict()
        .mark()
        .entry("action", action)
        .entry("addr", address)
        .entry("size", size)
        .entry("stream", 0)
        .setItems();
}

PickleWriter& PickleWriter::frame(std::string_view function, std::string_view file, std::int64_t line)
{
    return emptyDict().mark().entry("name", function).entry("filename", file).entry("line", line).setItems();
}

PickleWriter& PickleWriter::segment(
    std::int64_t address, std::int64_t size, std::string_view state, std::int64_t device)
{
    emptyDict()
        .mark()
        .entry("device", device)
        .entry("address", address)
        .entry("total_size", size)
        .text("blocks");
    emptyList().mark();
    emptyDict()
        .mark()
        .entry("address", address)
        .entry("size", size)
        .entry("requested_size", size)
        .entry("state", state)
        .setItems();
    return appends().setItems();
}

} // namespace highwater::test
