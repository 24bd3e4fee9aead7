#include <algorithm>
#include <cstring>
#include <utility>

#include "importers/pickle/opcodes.h"
#include "importers/pickle/pickle_machine.h"

namespace highwater {

using namespace pickle;

PickleMachine::Step PickleMachine::openList()
{
    // A list's memo entry comes before its contents (Python's writer) or after them (PyTorch's C++ writer).
    push(m_factory.emptyList());
    const std::uint8_t* next = m_cursor;
    if (static_cast<std::size_t>(m_end - next) < kListLookAhead && !m_buffer.sourceEnded()) {
        if (const Step step = refill(); step == Step::Failed)
            return step;
        next = m_cursor;
    }
    std::uint64_t slot = 0;
    if (*next == Memoize) {
        slot = m_putCount;
        next += 1;
    } else if (*next == BinPut || *next == LongBinPut) {
        std::uint32_t longSlot = 0;
        std::memcpy(&longSlot, next + 1, 4);
        slot = *next == BinPut ? next[1] : longSlot;
        next += *next == BinPut ? 2 : 5;
    } else if (*next != Mark) {
        return Step::Next;
    }
    if (*next != Mark || next >= m_end)
        return Step::Next;
    if (next != m_cursor) {
        m_cursor = next;
        if (const Step step = put(slot); step != Step::Next)
            return step;
    }
    m_cursor = next;
    takeReferenceList(m_stack.back().memoSlot);
    return Step::Next;
}

bool PickleMachine::takeReferenceList(std::int64_t memoSlot)
{
    const std::uint8_t* const begin = m_cursor + 1; // after the mark
    const auto available = static_cast<std::size_t>(m_end - begin);
    ReferenceListCache::Hit hit = m_referenceLists.predicted(begin, available);
    if (hit.length == 0) {
        const std::uint8_t* next = begin;
        while (m_end - next > 5 && (*next == LongBinGet || *next == BinGet))
            next += *next == LongBinGet ? 5 : 2;
        if (next == begin || next >= m_end || *next != Appends)
            return false;
        const auto length = static_cast<std::size_t>(next + 1 - begin);
        hit = m_referenceLists.find(begin, length);
        if (hit.length == 0) {
            hit = {decodeReferences(begin, next), length};
            if (!m_factory.isInterned(hit.value))
                return false;
            m_referenceLists.remember(begin, length, hit.value);
        }
    }
    m_cursor = begin + hit.length;
    hit.value.memoSlot = memoSlot;
    replaceInMemo(std::exchange(m_stack.back(), hit.value), hit.value);
    return true;
}

Value PickleMachine::decodeReferences(const std::uint8_t* begin, const std::uint8_t* end)
{
    const std::size_t base = m_stack.size();
    for (const std::uint8_t* next = begin; next < end;) {
        std::uint32_t slot = next[1];
        if (*next == LongBinGet)
            std::memcpy(&slot, next + 1, 4);
        next += *next == LongBinGet ? 5 : 2;
        // An interned list consists of objects only; the general code handles everything else.
        if (slot >= m_memo.size() || !m_memo[slot].isSet || m_memo[slot].kind != Value::Kind::Object) {
            m_stack.resize(base);
            return Value::none();
        }
        push(Value::object(m_memo[slot].type, m_memo[slot].index));
    }
    const bool allInterned = std::all_of(
        m_stack.begin() + base, m_stack.end(), [this](const Value& v) { return m_factory.isInterned(v); });
    Value list = Value::none();
    if (allInterned) {
        list = m_factory.emptyList();
        if (!m_factory.append(list, std::span(m_stack.data() + base, m_stack.size() - base)))
            list = Value::none();
    }
    m_stack.resize(base);
    return list;
}

std::size_t PickleMachine::markedBegin()
{
    const std::size_t begin = std::min<std::size_t>(m_marks.back(), m_stack.size());
    m_marks.pop_back();
    return begin;
}

/// Moves the values from `begin` on into the container that precedes them on the stack.
PickleMachine::Step PickleMachine::addFrom(std::size_t begin, bool asDict)
{
    Value& container = m_stack[begin - 1];
    const Value original = container;
    const std::span items(m_stack.data() + begin, m_stack.size() - begin);
    const Result<void> added
        = asDict ? m_factory.setItems(container, items) : m_factory.append(container, items);
    if (!added)
        return failWith(added.error());
    replaceInMemo(original, container);
    m_stack.resize(begin);
    return Step::Next;
}

PickleMachine::Step PickleMachine::appendMany()
{
    if (m_marks.empty() || m_marks.back() == 0 || m_marks.back() > m_stack.size()
        || !m_factory.isList(m_stack[m_marks.back() - 1]))
        return failAt(ErrorCode::Malformed, "APPENDS has no list before its mark");
    return addFrom(markedBegin(), false);
}

PickleMachine::Step PickleMachine::setMany()
{
    if (m_marks.empty() || m_marks.back() == 0 || m_marks.back() > m_stack.size()
        || !m_factory.isDict(m_stack[m_marks.back() - 1]))
        return failAt(ErrorCode::Malformed, "SETITEMS has no dict before its mark");
    const std::size_t begin = markedBegin();
    if ((m_stack.size() - begin) % 2 != 0)
        return failAt(ErrorCode::Malformed, "SETITEMS has a key without a value");
    return addFrom(begin, true);
}

PickleMachine::Step PickleMachine::appendOne()
{
    const std::size_t size = m_stack.size();
    if (size < 2 || !m_factory.isList(m_stack[size - 2]))
        return failAt(ErrorCode::Malformed, "APPEND has no list");
    return addFrom(size - 1, false);
}

PickleMachine::Step PickleMachine::setOne()
{
    const std::size_t size = m_stack.size();
    if (size < 3 || !m_factory.isDict(m_stack[size - 3]))
        return failAt(ErrorCode::Malformed, "SETITEM has no dict");
    return addFrom(size - 2, true);
}

/// Handles LIST and DICT of protocol 0, whose contents are the values above the mark (in practice there are
/// none).
PickleMachine::Step PickleMachine::collectAboveMark(bool asDict)
{
    if (m_marks.empty())
        return failAt(ErrorCode::Malformed, asDict ? "DICT has no mark" : "LIST has no mark");
    const std::size_t begin = markedBegin();
    const std::span items(m_stack.data() + begin, m_stack.size() - begin);
    if (asDict && items.size() % 2 != 0)
        return failAt(ErrorCode::Malformed, "DICT has a key without a value");
    Value container = asDict ? m_factory.emptyDict() : m_factory.emptyList();
    if (!items.empty()) {
        const Result<void> added
            = asDict ? m_factory.setItems(container, items) : m_factory.append(container, items);
        if (!added)
            return failWith(added.error());
    }
    m_stack.resize(begin);
    push(container);
    return Step::Next;
}

PickleMachine::Step PickleMachine::makeTuple(std::size_t count)
{
    if (m_stack.size() < count)
        return failAt(ErrorCode::Malformed, "a tuple needs more values than the stack has");
    const std::size_t begin = m_stack.size() - count;
    const Value tuple = m_factory.tuple(std::span(m_stack.data() + begin, count));
    m_stack.resize(begin);
    push(tuple);
    return Step::Next;
}

Value PickleMachine::salvage()
{
    m_factory.beginSalvage();
    while (!m_marks.empty()) {
        const std::size_t begin = markedBegin();
        if (begin > 0)
            foldMarked(begin - 1);
        else
            m_stack.resize(begin);
    }
    foldChain(0);
    return m_stack.empty() ? Value::none() : m_stack[0];
}

/// Folds the values above a mark: complete members of the container before the mark, possibly followed by a
/// chain of containers that were being filled without marks of their own.
void PickleMachine::foldMarked(std::size_t container)
{
    const Value original = m_stack[container];
    const bool hasPairs = m_factory.isDict(original);
    if (hasPairs) {
        for (std::size_t i = container + 2; i + 1 < m_stack.size(); i += 2) {
            if (m_stack[i + 1].isString())
                continue;
            foldChain(i);
            break;
        }
        if ((m_stack.size() - container - 1) % 2 != 0)
            m_stack.pop_back();
    }
    const std::span members(m_stack.data() + container + 1, m_stack.size() - container - 1);
    if (hasPairs)
        (void)m_factory.setItems(m_stack[container], members);
    else if (m_factory.isList(m_stack[container]))
        (void)m_factory.append(m_stack[container], members);
    replaceInMemo(original, m_stack[container]);
    m_stack.resize(container + 1);
}

/// Folds the values above `bottom`, starting at the top: puts each into the container below it, for which it
/// was being read, and drops a key without a value.
void PickleMachine::foldChain(std::size_t bottom)
{
    while (m_stack.size() > bottom + 1) {
        const std::size_t size = m_stack.size();
        Value& below = m_stack[size - 2];
        std::size_t droppedValues = 1;
        if (m_factory.isList(below)) {
            (void)m_factory.append(below, std::span(m_stack.data() + size - 1, 1));
        } else if (size >= bottom + 3 && below.isString() && m_factory.isDict(m_stack[size - 3])) {
            (void)m_factory.setItems(m_stack[size - 3], std::span(m_stack.data() + size - 2, 2));
            droppedValues = 2;
        }
        m_stack.resize(size - droppedValues);
    }
}

} // namespace highwater
