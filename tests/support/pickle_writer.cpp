#include "tests/support/pickle_writer.h"

namespace highwater::test {

PickleWriter& PickleWriter::littleEndian(std::uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        m_bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
}

PickleWriter& PickleWriter::integer(std::int64_t value)
{
    if (value >= 0 && value < 256)
        return op('K').littleEndian(static_cast<std::uint64_t>(value), 1);
    if (value >= 0 && value < 65536)
        return op('M').littleEndian(static_cast<std::uint64_t>(value), 2);
    if (value >= INT32_MIN && value <= INT32_MAX)
        return op('J').littleEndian(static_cast<std::uint64_t>(value), 4);
    return op(0x8a).op(8).littleEndian(static_cast<std::uint64_t>(value), 8);
}

PickleWriter& PickleWriter::text(std::string_view text)
{
    if (text.size() < 256)
        return op(0x8c).op(static_cast<unsigned char>(text.size())).raw(text);
    return op('X').u32(static_cast<std::uint32_t>(text.size())).raw(text);
}

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
