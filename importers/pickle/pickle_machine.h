#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "core/base/column.h"
#include "core/base/result.h"
#include "importers/pickle/object_factory.h"
#include "importers/pickle/reference_list_cache.h"
#include "importers/source/read_buffer.h"

namespace highwater {

/// Reads one pickle (protocols 0 to 5) that holds plain data. Never executes anything: opcodes that could
/// import, call or create an object of a class are refused, with the name that they request or their number.
/// Refuses sets, and buffers outside the file (protocol 5), too. In protocol 0's STRING, which Python 3 never
/// writes, only \u and \U escapes are decoded.
///
/// Opcodes and their operands: CPython, Lib/pickletools.py. All lengths (except those of frames, which are
/// not used), memo indices and marks are checked. `maxMemoryBytes` limits the memory, except for a text that
/// is being read, of at most 64 MiB.
class PickleMachine
{
public:
    PickleMachine(ReadBuffer& buffer, ObjectFactory& factory, std::uint64_t maxMemoryBytes);

    /// Runs to the STOP opcode and returns the top value. After an error, call `salvage` for the part that
    /// was read.
    Result<Value> run();

    /// Closes all open containers, innermost first, and returns the outermost value, which has the contents
    /// of a broken file up to the error; none if nothing was read. Drops keys without a value.
    Value salvage();

    /// Returns the offset of the next byte.
    std::uint64_t offset() const { return m_buffer.offsetOf(m_cursor); }

private:
    enum class Step
    {
        Next,
        Stop,
        Failed
    };
    /// Bytes that a list of references should have in view, longer than nearly every captured stack. `refill`
    /// provides them unless the file ends before.
    static constexpr std::size_t kListLookAhead = 32 * 1024;

    // The main loop. It handles the opcodes that make up nearly all of a file, and passes on the rare ones.
    Step interpret();
    Step interpretRare(std::uint8_t opcode);
    Step interpretOperand(std::uint8_t opcode);
    Step interpretMemo(std::uint8_t opcode);
    Step interpretContainer(std::uint8_t opcode);
    Step refuse(std::uint8_t opcode);

    // Operands (pickle_operands.cpp).
    /// Fails with Truncated, or the source's error, if fewer bytes are left.
    Step need(std::size_t bytes)
    {
        return static_cast<std::size_t>(m_end - m_cursor) >= bytes ? Step::Next : truncated();
    }
    template <typename T>
    T operand()
    {
        T value;
        std::memcpy(&value, m_cursor, sizeof value);
        m_cursor += sizeof value;
        return value;
    }
    Step pushLong(std::size_t length)
    {
        if (length == 0 || length > 8 || m_end - m_cursor < 8)
            return pushLongOfAnyLength(length);
        // Little-endian two's complement: the sign is the top bit of the last byte.
        std::uint64_t bits = 0;
        std::memcpy(&bits, m_cursor, 8);
        const std::size_t unused = 64 - 8 * length;
        push(Value::ofInt(static_cast<std::int64_t>(bits << unused) >> unused));
        m_cursor += length;
        return Step::Next;
    }
    Step pushLongOfAnyLength(std::size_t length);
    Step pushString(std::uint64_t length);
    /// Pushes an opaque value for the next bytes.
    Step pushOpaqueBytes(std::uint64_t length);
    Step readLine(std::string& line);
    Step pushIntLine(bool isLong);
    Step pushFloatLine();
    /// Reads the text of UNICODE, or of STRING if it is in quotes.
    Step pushTextLine(bool isQuoted);
    Step readProtocol();

    // Containers.
    Step openList();
    Step addFrom(std::size_t begin, bool asDict);
    Step appendOne();
    Step appendMany();
    Step setOne();
    Step setMany();
    Step collectAboveMark(bool asDict);
    Step makeTuple(std::size_t count);
    /// Reads the references after a mark and their APPENDS in one go. Returns false, without reading
    /// anything, if other opcodes follow.
    bool takeReferenceList(std::int64_t memoSlot);
    /// Returns the interned list that the references stand for, or none if it cannot be interned.
    Value decodeReferences(const std::uint8_t* begin, const std::uint8_t* end);

    // Memo.
    /// Puts the top of the stack into the memo.
    Step put(std::uint64_t slot);
    Step get(std::uint64_t slot)
    {
        // Fast path: the value is nearly always a text that is a dict key.
        if (slot < m_memo.size() && m_memo[slot].isSet && m_memo[slot].kind == Value::Kind::String) {
            push(Value::ofString(StringId(m_memo[slot].index)));
            return Step::Next;
        }
        return getAnyKind(slot);
    }
    Step getAnyKind(std::uint64_t slot);
    void replaceInMemo(const Value& original, const Value& replacement);

    // Salvage.
    void foldChain(std::size_t bottom);
    void foldMarked(std::size_t container);

    Step failAt(ErrorCode code, std::string message);
    Step failWith(const Error& error);
    Step refill();
    Step truncated();
    std::size_t markedBegin();
    void push(const Value& value) { m_stack.push_back(value); }

    struct MemoEntry
    {
        Value::Kind kind;
        std::uint8_t type;
        bool isSet;
        std::uint32_t index; ///< for scalars, an index into m_memoScalars
    };

    ReadBuffer& m_buffer;
    ObjectFactory& m_factory;
    std::uint64_t m_maxMemoryBytes;
    const std::uint8_t* m_cursor = nullptr;
    const std::uint8_t* m_end = nullptr;
    const std::uint8_t* m_opcodeAt
        = nullptr; ///< null once the window has moved; m_opcodeOffset is valid then
    std::uint64_t m_opcodeOffset = 0;
    Column<Value> m_stack;
    Column<std::uint32_t> m_marks;
    Column<MemoEntry> m_memo;
    std::uint64_t m_putCount = 0; ///< writes to the memo so far, which is the index for MEMOIZE
    std::vector<Value> m_memoScalars;
    ReferenceListCache m_referenceLists;
    std::string m_text;
    std::optional<Error> m_error;
    std::optional<Error> m_sourceError; ///< the error that ended the source early
};

} // namespace highwater
