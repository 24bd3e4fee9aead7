#include "importers/pytorch_snapshot/field_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/trace/source_code.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxFlattened = 1000;
/// Limit of the recursion, in case a container contains itself.
constexpr int kMaxFieldDepth = 64;

std::string quoted(std::string_view text)
{
    return jsonText(nlohmann::json(text));
}

} // namespace

std::optional<Bytes> toSize(const Value& value)
{
    if (!value.isInt() || value.unsignedBits || value.integer < 0)
        return std::nullopt;
    return value.integer;
}

std::optional<Address> toAddress(const Value& value)
{
    if (!value.isInt())
        return std::nullopt;
    return static_cast<Address>(value.integer);
}

std::optional<std::int64_t> toInteger(const Value& value)
{
    if (!value.isInt() || value.unsignedBits)
        return std::nullopt;
    return value.integer;
}

bool isTruthy(const Value& value, const RecordStore& store, const std::vector<PoolKey>& pools)
{
    if (value.kind == Value::Kind::Bool || value.isInt())
        return value.integer != 0;
    if (is(value, ObjectType::Pool)) // two integers were read as a pool
        return pools[value.index].first != 0 || pools[value.index].second != 0;
    if (!is(value, ObjectType::GenericList))
        return false;
    const std::vector<Value>& items = store.container(value.index).items;
    return std::ranges::any_of(items, [&](const Value& item) {
        return !is(item, ObjectType::GenericList) && isTruthy(item, store, pools);
    });
}

std::string ValueText::json(const Value& value, std::size_t maxBytes) const
{
    std::string out;
    write(out, value, maxBytes, 0);
    if (out.size() > maxBytes)
        out.resize(maxBytes);
    return out;
}

void ValueText::addEntry(std::vector<NamedText>& entries, const std::string& name, const Value& value) const
{
    const bool isFirst = std::ranges::find(entries, name, &NamedText::first) == entries.end();
    const bool isSource = name == kSourceCodeEntry && isFirst;
    entries.emplace_back(name, json(value, isSource ? kMaxSourceCodeBytes : kMaxBytes));
}

std::string ValueText::plain(const Value& value) const
{
    return value.isString() ? std::string(m_strings.view(value.string())) : json(value);
}

void ValueText::write(std::string& out, const Value& value, std::size_t maxBytes, int depth) const
{
    if (out.size() > maxBytes || depth > kMaxFieldDepth)
        return;
    switch (value.kind) {
    case Value::Kind::None: out += "null"; return;
    case Value::Kind::Bool: out += value.integer ? "true" : "false"; return;
    case Value::Kind::Int:
        out += value.unsignedBits ? fmt::format("{}", static_cast<std::uint64_t>(value.integer))
                                  : fmt::format("{}", value.integer);
        return;
    case Value::Kind::Float: out += fmt::format("{}", value.number); return;
    case Value::Kind::String: out += quoted(m_strings.view(value.string())); return;
    case Value::Kind::Opaque: out += "\"(bytes)\""; return;
    case Value::Kind::Object: writeContainer(out, value, maxBytes, depth); return;
    }
}

void ValueText::writeContainer(std::string& out, const Value& value, std::size_t maxBytes, int depth) const
{
    const bool isDict = is(value, ObjectType::GenericDict);
    if (is(value, ObjectType::Pool)) {
        out += fmt::format("[{}, {}]", static_cast<std::int64_t>(m_pools[value.index].first),
            static_cast<std::int64_t>(m_pools[value.index].second));
    } else if (isDict || is(value, ObjectType::GenericList)) {
        const std::vector<Value>& items = m_store.container(value.index).items;
        out += isDict ? '{' : '[';
        for (std::size_t i = 0; i < items.size() && out.size() <= maxBytes; ++i) {
            if (i > 0)
                out += isDict && i % 2 == 1 ? ": " : ", ";
            write(out, items[i], maxBytes, depth + 1);
        }
        out += isDict ? '}' : ']';
    } else {
        out += is(value, ObjectType::EmptyDict) ? "{}"
            : is(value, ObjectType::EmptyList)  ? "[]"
                                                : "\"(rows)\"";
    }
}

std::vector<NamedText> ValueText::flattened(const Value& dict) const
{
    std::vector<NamedText> out;
    if (is(dict, ObjectType::GenericDict))
        flatten(out, "", dict, 0);
    return out;
}

void ValueText::flatten(
    std::vector<NamedText>& out, const std::string& prefix, const Value& value, int depth) const
{
    if (out.size() >= kMaxFlattened || depth > kMaxFieldDepth)
        return;
    if (!is(value, ObjectType::GenericDict)) {
        out.emplace_back(prefix, plain(value));
        return;
    }
    const std::vector<Value>& items = m_store.container(value.index).items;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        flatten(out, (prefix.empty() ? "" : prefix + ".") + plain(items[i]), items[i + 1], depth + 1);
}

} // namespace highwater
