#include "tests/support/plain_factory.h"

#include <algorithm>

#include <fmt/format.h>

#include "importers/pickle/pickle_machine.h"
#include "tests/support/piecewise_source.h"

namespace highwater::test {

Value PlainFactory::make(std::uint8_t type)
{
    m_containers.emplace_back();
    return Value::object(type, static_cast<std::uint32_t>(m_containers.size() - 1));
}

Value PlainFactory::tuple(std::span<Value> items)
{
    const Value made = make(kTuple);
    m_containers[made.index].assign(items.begin(), items.end());
    return made;
}

Result<void> PlainFactory::append(Value& list, std::span<Value> items)
{
    if (items.empty())
        return {};
    const bool tuples
        = std::all_of(items.begin(), items.end(), [](const Value& item) { return item.isObject(kTuple); });
    if (list.isObject(kEmptyList))
        list.type = m_internPairs && tuples && items.size() > 1 ? kTupleList : kList;
    std::vector<Value> all = m_containers[list.index];
    all.insert(all.end(), items.begin(), items.end());
    if (list.isObject(kTupleList)) { // never changed in place, because others may share it
        const std::int64_t slot = list.memoSlot;
        list = make(tuples ? kTupleList : kList);
        list.memoSlot = slot;
    }
    m_containers[list.index] = std::move(all);
    return {};
}

Result<void> PlainFactory::setItems(Value& dict, std::span<Value> keysAndValues)
{
    m_containers[dict.index].insert(
        m_containers[dict.index].end(), keysAndValues.begin(), keysAndValues.end());
    return {};
}

bool PlainFactory::isList(const Value& value) const
{
    return value.isObject(kEmptyList) || value.isObject(kList) || value.isObject(kTupleList);
}

bool PlainFactory::isInterned(const Value& value) const
{
    return m_internPairs && (value.isObject(kTuple) || value.isObject(kTupleList));
}

std::string PlainFactory::join(const std::vector<Value>& items, int depth) const
{
    std::string out;
    for (const Value& item : items)
        out += (out.empty() ? "" : ", ") + render(item, depth + 1);
    return out;
}

std::string PlainFactory::render(const Value& value, int depth) const
{
    if (depth > 20)
        return "…";
    switch (value.kind) {
    case Value::Kind::None: return "None";
    case Value::Kind::Bool: return value.integer ? "True" : "False";
    case Value::Kind::Int:
        return value.unsignedBits ? std::to_string(static_cast<std::uint64_t>(value.integer))
                                  : std::to_string(value.integer);
    case Value::Kind::Float: return fmt::format("{}", value.number);
    case Value::Kind::String: return fmt::format("'{}'", m_strings.view(value.string()));
    case Value::Kind::Opaque: return "opaque";
    case Value::Kind::Object: break;
    }
    const std::vector<Value>& items = m_containers[value.index];
    if (value.type == kTuple)
        return "(" + join(items, depth) + ")";
    if (value.type != kDict)
        return "[" + join(items, depth) + "]";
    std::string out;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        out += (out.empty() ? "" : ", ") + render(items[i], depth + 1) + ": "
            + render(items[i + 1], depth + 1);
    return "{" + out + "}";
}

PickleReading readPickle(
    const std::string& bytes, std::size_t piece, bool internPairs, std::uint64_t maxMemoryBytes)
{
    PiecewiseSource source(bytes, piece);
    ReadBuffer buffer(source);
    PlainFactory factory(internPairs);
    PickleMachine machine(buffer, factory, maxMemoryBytes);
    const Result<Value> outcome = machine.run();
    if (outcome)
        return {factory.render(*outcome), {}};
    return {factory.render(machine.salvage()), outcome.error()};
}

} // namespace highwater::test
