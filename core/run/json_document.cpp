#include "core/run/json_document.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

using Json = nlohmann::json;

/// Parses a text without storing anything, to check that it is JSON and within the limits.
class DocumentCheck : public nlohmann::json_sax<Json>
{
public:
    bool null() override { return countValue(); }
    bool boolean(bool) override { return countValue(); }
    bool number_integer(std::int64_t) override { return countValue(); }
    bool number_unsigned(std::uint64_t) override { return countValue(); }
    bool number_float(double, const std::string&) override { return countValue(); }
    bool string(std::string&) override { return countValue(); }
    bool binary(binary_t&) override { return countValue(); }
    bool key(std::string&) override { return true; }
    bool start_object(std::size_t) override { return enterLevel(); }
    bool start_array(std::size_t) override { return enterLevel(); }
    bool end_object() override { return leaveLevel(); }
    bool end_array() override { return leaveLevel(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
    {
        errorByte = position > 0 ? position - 1 : 0;
        return false;
    }

    std::optional<std::size_t> errorByte;

private:
    bool countValue() { return ++m_valueCount <= kMaxDocumentValues; }
    bool enterLevel() { return ++m_level <= kMaxDocumentLevels && countValue(); }
    bool leaveLevel()
    {
        --m_level;
        return true;
    }

    std::size_t m_valueCount = 0;
    std::size_t m_level = 0;
};

} // namespace

Result<nlohmann::json> parseJsonDocument(std::string_view text, std::string_view documentName)
{
    DocumentCheck check;
    if (text.size() <= kMaxDocumentBytes && Json::sax_parse(text, &check))
        return parseJson(text);
    if (!check.errorByte)
        return highwater::fail(ErrorCode::LimitExceeded,
            fmt::format("{} exceeds the limits (64 MiB, 64 levels, 2,000,000 values)", documentName));
    const Place place = Place::byte(*check.errorByte);
    if (*check.errorByte >= text.size())
        return highwater::fail(ErrorCode::Truncated, fmt::format("{} ends too early", documentName), place);
    return highwater::fail(ErrorCode::Malformed, fmt::format("{} is not JSON", documentName), place);
}

void DocumentProblems::fail(std::string sentence)
{
    if (wrong.empty())
        wrong = std::move(sentence);
}

void DocumentProblems::warn(std::string sentence)
{
    if (warnings.size() < kMaxWarnings)
        warnings.push_back(std::move(sentence));
    else if (warnings.size() == kMaxWarnings)
        warnings.push_back("more members are unknown and ignored");
}

JsonMembers::JsonMembers(
    const nlohmann::json& json, std::string name, std::string prefix, DocumentProblems& problems)
    : m_json(json)
    , m_prefix(std::move(prefix))
    , m_problems(problems)
{
    if (!json.is_object())
        m_problems.fail(name + " is not an object");
}

const nlohmann::json* JsonMembers::find(const char* key)
{
    m_knownKeys.insert(key);
    if (!m_json.is_object())
        return nullptr;
    const auto found = m_json.find(key);
    return found == m_json.end() || found->is_null() ? nullptr : &*found;
}

void JsonMembers::text(const char* key, std::string& target, std::size_t maxBytes)
{
    const Json* json = find(key);
    if (!json)
        return;
    if (!json->is_string())
        return fail(key, "is not a string");
    const std::string& text = json->get_ref<const std::string&>();
    if (text.size() > maxBytes)
        return fail(key,
            fmt::format("has {} bytes; the limit is {}", formatCount(text.size()), formatCount(maxBytes)));
    target = text;
}

void JsonMembers::boolean(const char* key, bool& target)
{
    const Json* json = find(key);
    if (json && !json->is_boolean())
        return fail(key, "is not true or false");
    if (json)
        target = json->get<bool>();
}

void JsonMembers::integer(const char* key, std::int64_t& target, std::int64_t least)
{
    if (const Json* json = find(key))
        readInteger(*json, nameOf(key), least, target, m_problems);
}

const nlohmann::json* JsonMembers::list(const char* key, std::size_t most)
{
    const Json* json = find(key);
    if (json && !json->is_array())
        fail(key, "is not a list");
    else if (json && json->size() > most)
        fail(key,
            fmt::format("has {} entries; the limit is {}", formatCount(json->size()), formatCount(most)));
    else
        return json;
    return nullptr;
}

void JsonMembers::fail(std::string_view key, std::string_view problem)
{
    m_problems.fail(fmt::format("{} {}", nameOf(key), problem));
}

std::vector<std::string> JsonMembers::unknownKeys() const
{
    std::vector<std::string> keys;
    if (m_json.is_object())
        for (const auto& [key, value] : m_json.items())
            if (!m_knownKeys.contains(key))
                keys.push_back(key);
    return keys;
}

void JsonMembers::warnAboutUnknownKeys()
{
    for (const std::string& key : unknownKeys())
        m_problems.warn(fmt::format("{} is unknown and ignored", sanitizedText(nameOf(key.substr(0, 100)))));
}

bool readInteger(const nlohmann::json& json, const std::string& name, std::int64_t least,
    std::int64_t& target, DocumentProblems& problems)
{
    if (!json.is_number())
        problems.fail(name + " is not a number");
    else if (!json.is_number_integer())
        problems.fail(name + " is not a whole number");
    else if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{kLargestStoredNumber})
        problems.fail(name + " is too large");
    else if (json.get<std::int64_t>() < least)
        problems.fail(fmt::format("{} is below {}", name, least));
    else {
        target = json.get<std::int64_t>();
        return true;
    }
    return false;
}

std::string documentText(const nlohmann::ordered_json& json)
{
    return jsonText(json, 2) + '\n';
}

} // namespace highwater
