#include "importers/pytorch_snapshot/snapshot_values.h"

#include <bit>

#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater {

namespace {

using Json = nlohmann::ordered_json;

/// Deepest value that is written; no snapshot has deeper ones.
constexpr int kMaxValueDepth = 64;

/// Restores the type of a setting that was flattened to text. Values of environment variables stay texts.
Json settingValue(const std::string& name, const std::string& text)
{
    if (name.ends_with("_CONF"))
        return text;
    if (text == "true" || text == "false")
        return text == "true";
    if (text == "null")
        return nullptr;
    if (const auto number = parsedNumber<std::int64_t>(text))
        return *number;
    if (const auto number = parsedNumber<std::uint64_t>(text))
        return *number;
    if (const auto number = parsedNumber<double>(text))
        return *number;
    return text;
}

/// Returns the dict that gets a setting, and sets `leafName` to the key in that dict. Each name before a dot
/// becomes a dict, unless a value already has that name.
Json& dictOf(Json& root, std::string_view name, std::string& leafName)
{
    Json* node = &root;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
        Json& child = (*node)[std::string(name.substr(0, dot))];
        if (!child.is_null() && !child.is_object())
            break;
        if (child.is_null())
            child = Json::object();
        node = &child;
        name.remove_prefix(dot + 1);
    }
    leafName = name;
    return *node;
}

} // namespace

void SnapshotValues::writeText(std::string_view text)
{
    const auto [known, isNew] = m_texts.try_emplace(std::string(text), m_slotCount);
    if (!isNew) {
        m_pickle.get(known->second);
        return;
    }
    m_pickle.text(validText(text));
    memoize();
}

void SnapshotValues::writeJsonValue(const Json& value, int depth)
{
    if (depth > kMaxValueDepth) {
        m_pickle.none();
    } else if (value.is_boolean()) {
        m_pickle.boolean(value.get<bool>());
    } else if (value.is_number_unsigned()) {
        m_pickle.integer(value.get<std::uint64_t>());
    } else if (value.is_number_integer()) {
        m_pickle.integer(value.get<std::int64_t>());
    } else if (value.is_number_float()) {
        const auto bits = std::bit_cast<std::uint64_t>(value.get<double>());
        m_pickle.op(pickle::BinFloat);
        for (int shift = 56; shift >= 0; shift -= 8) // big endian
            m_pickle.op(static_cast<unsigned char>(bits >> shift & 0xFF));
    } else if (value.is_string()) {
        writeText(value.get_ref<const std::string&>());
    } else if (value.is_array()) {
        m_pickle.emptyList().mark();
        for (const Json& item : value)
            this->writeJsonValue(item, depth + 1);
        m_pickle.appends();
    } else if (value.is_object()) {
        m_pickle.emptyDict().mark();
        for (const auto& [key, item] : value.items()) {
            writeText(key);
            this->writeJsonValue(item, depth + 1);
        }
        m_pickle.setItems();
    } else {
        m_pickle.none();
    }
}

void SnapshotValues::writeJsonMember(std::string_view key, std::string_view json)
{
    const Json parsed = parseJson(json);
    if (parsed.is_discarded())
        return;
    writeText(key);
    writeJsonValue(parsed, 0);
}

void SnapshotValues::writeJsonMembers(std::string_view json)
{
    if (json.empty())
        return;
    const Json parsed = parseJson(json);
    if (!parsed.is_object())
        return;
    for (const auto& [key, item] : parsed.items()) {
        writeText(key);
        writeJsonValue(item, 0);
    }
}

void SnapshotValues::writeSettingsTree(const std::vector<NamedText>& settings)
{
    Json root = Json::object();
    for (const auto& [name, text] : settings) {
        std::string leafName;
        Json& dict = dictOf(root, name, leafName);
        dict[leafName] = settingValue(leafName, text);
    }
    writeJsonValue(root, 0);
}

} // namespace highwater
