#pragma once

#include "importers/pickle/pickle_writer.h"

namespace highwater::test {

/// The program's own pickle writer, extended by opcodes that it does not need itself and by the records of a
/// snapshot.
class PickleWriter : public PickleOpcodes<PickleWriter>
{
public:
    PickleWriter& raw(std::string_view content)
    {
        for (const char character : content)
            op(static_cast<unsigned char>(character));
        return *this;
    }
    PickleWriter& u32(std::uint32_t value) { return littleEndian(value, 4); }
    PickleWriter& u64(std::uint64_t value) { return littleEndian(value, 8); }
    PickleWriter& setItem() { return op(pickle::SetItem); }
    PickleWriter& append() { return op(pickle::Append); }
    PickleWriter& put(std::uint32_t slot)
    {
        return slot < 256 ? op(pickle::BinPut).op(static_cast<unsigned char>(slot))
                          : op(pickle::LongBinPut).u32(slot);
    }
    /// Appends a key and a number, or a key and a text.
    template <std::integral T>
    PickleWriter& entry(std::string_view key, T value)
    {
        return text(key).integer(value);
    }
    PickleWriter& entry(std::string_view key, std::string_view value) { return text(key).text(value); }
    /// Returns the whole pickle, ended by STOP.
    std::string stop() const { return bytes() + static_cast<char>(pickle::Stop); }
    PickleWriter& event(std::string_view action, std::int64_t address, std::int64_t size);
    PickleWriter& frame(std::string_view function, std::string_view file, std::int64_t line);
    /// Writes a segment with a single block that fills it.
    PickleWriter& segment(std::int64_t address, std::int64_t size,
        std::string_view state = "active_allocated", std::int64_t device = 0);
};

} // namespace highwater::test
