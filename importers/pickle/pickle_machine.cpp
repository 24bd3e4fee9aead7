#include "importers/pickle/pickle_machine.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_parts.h"
#include "importers/pickle/opcodes.h"
#include "importers/source/limit_error.h"

namespace highwater {

using namespace pickle;

namespace {

/// Bytes that are enough for any opcode with a fixed-size operand, of which FRAME and the 8-byte lengths are
/// the longest.
constexpr std::size_t kLookAhead = 16;
/// Most that a memo index may exceed the number of bytes read so far. Writers count up by one, and each entry
/// takes at least one byte.
constexpr std::uint64_t kMemoSlack = 1u << 20;
/// Number of memo entries that may be added without checking their memory.
constexpr std::uint64_t kMemoJump = 4096;

} // namespace

PickleMachine::PickleMachine(ReadBuffer& buffer, ObjectFactory& factory, std::uint64_t maxMemoryBytes)
    : m_buffer(buffer)
    , m_factory(factory)
    , m_maxMemoryBytes(maxMemoryBytes)
{
}

Result<Value> PickleMachine::run()
{
    m_cursor = m_buffer.cursor();
    m_end = m_buffer.end();
    Step step = Step::Next;
    while (step == Step::Next)
        step = interpret();
    m_buffer.setCursor(m_cursor);
    if (step == Step::Failed)
        return tl::unexpected<Error>(*m_error);
    return m_stack.back();
}

PickleMachine::Step PickleMachine::refill()
{
    if (m_opcodeAt)
        m_opcodeOffset = m_buffer.offsetOf(m_opcodeAt);
    m_opcodeAt = nullptr; // it pointed into the previous window
    m_buffer.setCursor(m_cursor);
    if (const Result<void> filled = m_buffer.ensure(kListLookAhead + kLookAhead); !filled) {
        m_sourceError = filled.error();
        if (filled.error().code == ErrorCode::Cancelled)
            return failWith(filled.error());
    }
    m_cursor = m_buffer.cursor();
    m_end = m_buffer.end();
    const std::uint64_t memory = m_factory.memoryBytes() + m_stack.memoryBytes() + m_memo.memoryBytes()
        + m_memoScalars.size() * sizeof(Value) + m_marks.memoryBytes() + m_referenceLists.memoryBytes();
    if (memory > m_maxMemoryBytes)
        return failAt(ErrorCode::LimitExceeded, memoryLimitError(m_maxMemoryBytes).message);
    return m_cursor == m_end ? truncated() : Step::Next;
}

PickleMachine::Step PickleMachine::interpret()
{
    // Runs until the pickle ends or an error occurs.
    for (;;) {
        if (static_cast<std::size_t>(m_end - m_cursor) < kLookAhead
            && !(m_buffer.sourceEnded() && m_cursor < m_end))
            if (const Step step = refill(); step != Step::Next)
                return step;
        m_opcodeAt = m_cursor;
        const std::uint8_t opcode = *m_cursor++;
        Step step = Step::Next;
        switch (opcode) {
        case BinGet:
            step = need(1);
            if (step == Step::Next)
                step = get(operand<std::uint8_t>());
            break;
        case LongBinGet:
            step = need(4);
            if (step == Step::Next)
                step = get(operand<std::uint32_t>());
            break;
        case Memoize: step = put(m_putCount); break;
        case BinInt:
            step = need(4);
            if (step == Step::Next)
                push(Value::ofInt(operand<std::int32_t>()));
            break;
        case BinInt1:
            step = need(1);
            if (step == Step::Next)
                push(Value::ofInt(operand<std::uint8_t>()));
            break;
        case BinInt2:
            step = need(2);
            if (step == Step::Next)
                push(Value::ofInt(operand<std::uint16_t>()));
            break;
        case Long1:
            step = need(1);
            if (step == Step::Next)
                step = pushLong(operand<std::uint8_t>());
            break;
        case Mark: m_marks.push_back(static_cast<std::uint32_t>(m_stack.size())); break;
        case EmptyDict: push(m_factory.emptyDict()); break;
        case EmptyList: step = openList(); break;
        case SetItems: step = setMany(); break;
        case Appends: step = appendMany(); break;
        case ShortBinUnicode:
            step = need(1);
            if (step == Step::Next)
                step = pushString(operand<std::uint8_t>());
            break;
        default: step = interpretRare(opcode); break;
        }
        if (step != Step::Next)
            return step;
    }
}

PickleMachine::Step PickleMachine::interpretRare(std::uint8_t opcode)
{
    switch (opcode) {
    case Stop:
        return m_stack.empty() ? failAt(ErrorCode::Malformed, "the pickle ends with nothing on its stack")
                               : Step::Stop;
    case Proto: return readProtocol();
    case Opcode::Frame: return need(8) == Step::Next ? (operand<std::uint64_t>(), Step::Next) : Step::Failed;
    case Opcode::None: push(Value::none()); return Step::Next;
    case NewTrue: push(Value::ofBool(true)); return Step::Next;
    case NewFalse: push(Value::ofBool(false)); return Step::Next;
    case Pop:
        if (!m_stack.empty() && (m_marks.empty() || m_marks.back() < m_stack.size()))
            m_stack.pop_back();
        else if (!m_marks.empty())
            m_marks.pop_back();
        return Step::Next;
    case PopMark: {
        if (m_marks.empty())
            return failAt(ErrorCode::Malformed, "POP_MARK has no mark");
        m_stack.resize(markedBegin());
        return Step::Next;
    }
    case Dup:
        if (m_stack.empty())
            return failAt(ErrorCode::Malformed, "DUP has nothing to duplicate");
        push(Value(m_stack.back()));
        return Step::Next;
    case Get:
    case Put:
    case BinPut:
    case LongBinPut: return interpretMemo(opcode);
    case Append:
    case SetItem:
    case Opcode::List:
    case Opcode::Dict:
    case EmptyTuple:
    case Opcode::Tuple:
    case Tuple1:
    case Tuple2:
    case Tuple3: return interpretContainer(opcode);
    default: return interpretOperand(opcode);
    }
}

PickleMachine::Step PickleMachine::interpretMemo(std::uint8_t opcode)
{
    if (opcode == BinPut || opcode == LongBinPut) {
        const std::size_t bytes = opcode == BinPut ? 1 : 4;
        if (need(bytes) != Step::Next)
            return Step::Failed;
        return put(bytes == 1 ? operand<std::uint8_t>() : operand<std::uint32_t>());
    }
    if (readLine(m_text) != Step::Next)
        return Step::Failed;
    const auto slot = parsedNumber<std::uint64_t>(m_text);
    if (!slot)
        return failAt(ErrorCode::Malformed, "a memo index is not a number");
    return opcode == Get ? get(*slot) : put(*slot);
}

PickleMachine::Step PickleMachine::interpretContainer(std::uint8_t opcode)
{
    switch (opcode) {
    case Append: return appendOne();
    case SetItem: return setOne();
    case Opcode::List: return collectAboveMark(false);
    case Opcode::Dict: return collectAboveMark(true);
    case EmptyTuple: return makeTuple(0);
    case Tuple1: return makeTuple(1);
    case Tuple2: return makeTuple(2);
    case Tuple3: return makeTuple(3);
    default: break;
    }
    if (m_marks.empty())
        return failAt(ErrorCode::Malformed, "TUPLE has no mark");
    return makeTuple(m_stack.size() - markedBegin());
}

PickleMachine::Step PickleMachine::refuse(std::uint8_t opcode)
{
    std::string name;
    if (opcode == Global || opcode == Inst) {
        std::string module;
        if (readLine(module) != Step::Next || readLine(name) != Step::Next)
            return Step::Failed;
        name = module + "." + name;
    } else if (opcode == StackGlobal && m_stack.size() >= 2) {
        name = fmt::format(
            "{}.{}", m_factory.text(m_stack[m_stack.size() - 2]), m_factory.text(m_stack.back()));
    }
    static constexpr std::array<std::uint8_t, 13> executing = {
        Global, Inst, StackGlobal, Reduce, Build, Obj, NewObj, NewObjEx, PersId, BinPersId, Ext1, Ext2, Ext4};
    if (std::ranges::find(executing, opcode) != executing.end()) {
        if (name.empty())
            return failAt(ErrorCode::Refused,
                fmt::format("the pickle would run code (opcode 0x{:02x}), which a memory snapshot never "
                            "does; refused",
                    opcode));
        return failAt(ErrorCode::Refused,
            fmt::format(
                "the pickle would load {}, but a memory snapshot never runs code; refused", nameText(name)));
    }
    if (opcode == NextBuffer || opcode == ReadonlyBuffer)
        return failAt(ErrorCode::Refused, "the pickle refers to buffers outside the file");
    return failAt(ErrorCode::Malformed, fmt::format("unknown pickle opcode 0x{:02x}", opcode));
}

PickleMachine::Step PickleMachine::put(std::uint64_t slot)
{
    if (m_stack.empty())
        return failAt(ErrorCode::Malformed, "a memo entry has no value");
    if (slot > (m_opcodeAt ? m_buffer.offsetOf(m_opcodeAt) : m_opcodeOffset) + kMemoSlack)
        return failAt(ErrorCode::Malformed, fmt::format("memo index {} is out of order", slot));
    if (slot >= m_memo.size() + kMemoJump && (slot + 1) * sizeof(MemoEntry) > m_maxMemoryBytes)
        return failAt(ErrorCode::LimitExceeded, memoryLimitError(m_maxMemoryBytes).message);
    if (slot < m_memo.size() && m_memo[slot].isSet)
        m_referenceLists.clear();
    while (m_memo.size() <= slot) // one by one, because `resize` allocates exactly what is requested
        m_memo.push_back(MemoEntry{Value::Kind::None, 0, false, 0});
    Value& value = m_stack.back();
    MemoEntry entry{value.kind, value.type, true, value.index};
    if (value.kind == Value::Kind::Object) {
        value.memoSlot = static_cast<std::int64_t>(slot) + 1;
    } else if (value.kind != Value::Kind::String) {
        entry.index = static_cast<std::uint32_t>(m_memoScalars.size());
        m_memoScalars.push_back(value);
    }
    m_memo[slot] = entry;
    ++m_putCount;
    return Step::Next;
}

PickleMachine::Step PickleMachine::getAnyKind(std::uint64_t slot)
{
    if (slot >= m_memo.size() || !m_memo[slot].isSet)
        return failAt(ErrorCode::Malformed, fmt::format("memo entry {} is used before it is set", slot));
    const MemoEntry& entry = m_memo[slot];
    if (entry.kind == Value::Kind::Object) {
        Value value = Value::object(entry.type, entry.index);
        value.memoSlot = static_cast<std::int64_t>(slot) + 1;
        push(value);
    } else {
        push(m_memoScalars[entry.index]);
    }
    return Step::Next;
}

/// Updates the memo after a container was filled, because that may have turned the container into another
/// object. Leaves the entry alone if a later value has taken the slot.
void PickleMachine::replaceInMemo(const Value& original, const Value& replacement)
{
    if (replacement.kind != Value::Kind::Object || replacement.memoSlot == 0)
        return;
    MemoEntry& entry = m_memo[static_cast<std::size_t>(replacement.memoSlot - 1)];
    if (entry.kind != Value::Kind::Object || entry.type != original.type || entry.index != original.index)
        return;
    entry.type = replacement.type;
    entry.index = replacement.index;
}

PickleMachine::Step PickleMachine::failAt(ErrorCode code, std::string message)
{
    return failWith({code, std::move(message), {}});
}

PickleMachine::Step PickleMachine::failWith(const Error& error)
{
    m_error = error;
    if (!m_error->place && m_error->code != ErrorCode::Cancelled)
        m_error->place = Place::byte(m_opcodeAt ? m_buffer.offsetOf(m_opcodeAt) : m_opcodeOffset);
    return Step::Failed;
}

PickleMachine::Step PickleMachine::truncated()
{
    if (m_sourceError)
        return failWith(*m_sourceError);
    return failWith({ErrorCode::Truncated, "the file ends in the middle of the snapshot",
        Place::byte(m_buffer.offsetOf(m_end))});
}

} // namespace highwater
