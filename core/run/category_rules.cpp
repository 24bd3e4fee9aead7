#include "core/run/category_rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "core/run/json_document.h"

namespace highwater {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, kCategoryCount> kCategoryNames = {"parameter", "optimizer_state",
    "gradient", "activation", "temporary", "input", "workspace", "kv_cache", "before_recording", "unknown"};
constexpr std::array<std::string_view, kCategoryCount> kCategoryTitles
    = {"parameters", "optimizer state", "gradients", "activations", "temporaries", "inputs", "workspaces",
        "KV cache", "before recording", "unknown"};

/// The names from `toText(Phase)`, repeated here because the analysis, which defines phases, depends on the
/// rules and not the reverse.
constexpr std::array<std::string_view, 8> kPhaseNames
    = {"unknown", "forward", "backward", "optimizer", "generation", "scoring", "evaluation", "data"};

std::string joinedNames(const auto& names)
{
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Reads one rule and finds the first error in it.
class RuleReader
{
public:
    /// Returns the error; empty if the rule is valid.
    std::string read(const Json& json)
    {
        if (!json.is_object())
            return "it is not an object";
        for (const auto& [key, value] : json.items())
            if (std::string problem = readEntry(key, value); !problem.empty())
                return problem;
        if (!json.contains("category"))
            return "\"category\" is missing";
        if (rule.minBytes > rule.maxBytes)
            return "\"min_bytes\" is larger than \"max_bytes\"";
        return {};
    }

    CategoryRule rule;

private:
    std::string readEntry(const std::string& key, const Json& value)
    {
        if (key == "category")
            return readCategory(value);
        if (key == "frames")
            return readFrames(value);
        if (key == "phase")
            return readPhase(value);
        if (key == "min_bytes")
            return readBytes(key, value, rule.minBytes);
        if (key != "max_bytes")
            return fmt::format(
                "unknown key \"{}\" (known: category, frames, min_bytes, max_bytes, phase)", key);
        std::string problem = readBytes(key, value, rule.maxBytes);
        if (rule.maxBytes == 0)
            rule.maxBytes = CategoryRule().maxBytes;
        return problem;
    }

    std::string readCategory(const Json& value)
    {
        const std::optional<Category> category
            = value.is_string() ? categoryFromText(value.get<std::string>()) : std::nullopt;
        if (!category)
            return fmt::format(
                "unknown category {} (known: {})", jsonText(value), joinedNames(kCategoryNames));
        rule.category = *category;
        return {};
    }

    std::string readFrames(const Json& value)
    {
        if (!value.is_string())
            return "\"frames\" is not a string";
        rule.frames = value.get<std::string>();
        const re2::RE2 pattern(rule.frames, re2::RE2::Quiet);
        return pattern.ok() ? std::string()
                            : fmt::format("\"frames\" is not a regular expression: {}", pattern.error());
    }

    std::string readPhase(const Json& value)
    {
        rule.phase = value.is_string() ? value.get<std::string>() : std::string();
        const bool isKnown = std::ranges::find(kPhaseNames, rule.phase) != kPhaseNames.end();
        if (!value.is_string() || (!isKnown && !rule.phase.empty()))
            return fmt::format("unknown phase {} (known: {})", jsonText(value), joinedNames(kPhaseNames));
        return {};
    }

    static std::string readBytes(const std::string& key, const Json& value, Bytes& target)
    {
        constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Bytes>::max());
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
            return fmt::format("\"{}\" is not a whole number of bytes", key);
        target = static_cast<Bytes>(value.get<std::uint64_t>());
        return {};
    }
};

OrderedJson jsonOfRule(const CategoryRule& rule)
{
    const CategoryRule defaults;
    OrderedJson json;
    json["category"] = std::string(toText(rule.category));
    if (!rule.frames.empty())
        json["frames"] = rule.frames;
    if (rule.minBytes != defaults.minBytes)
        json["min_bytes"] = rule.minBytes;
    if (rule.maxBytes != defaults.maxBytes)
        json["max_bytes"] = rule.maxBytes;
    if (!rule.phase.empty())
        json["phase"] = rule.phase;
    return json;
}

} // namespace

std::string_view toText(Category category)
{
    return kCategoryNames[static_cast<std::size_t>(category)];
}

std::optional<Category> categoryFromText(std::string_view text)
{
    if (text == "engine_pool")
        return Category::KvCache;
    return valueNamed<Category>(kCategoryNames, text);
}

std::string_view titleOf(Category category)
{
    return kCategoryTitles[static_cast<std::size_t>(category)];
}

std::string titleOf(Category category, bool isGuess)
{
    return std::string(titleOf(category)) + (isGuess ? " (guess)" : "");
}

Result<std::vector<CategoryRule>> parseCategoryRules(std::string_view text)
{
    const Result<Json> document = parseJsonDocument(text, "the list of rules");
    if (!document)
        return tl::unexpected(document.error());
    if (!document->is_array())
        return fail(ErrorCode::Malformed, "the rules are not a list: [{\"category\": …}, …]");
    std::vector<CategoryRule> rules;
    for (const Json& entry : *document) {
        RuleReader reader;
        if (const std::string problem = reader.read(entry); !problem.empty())
            return fail(ErrorCode::Malformed, fmt::format("rule {}: {}", rules.size() + 1, problem));
        rules.push_back(std::move(reader.rule));
    }
    return rules;
}

std::string toJsonText(const std::vector<CategoryRule>& rules)
{
    OrderedJson json = OrderedJson::array();
    for (const CategoryRule& rule : rules)
        json.push_back(jsonOfRule(rule));
    return jsonText(json, 2) + '\n';
}

} // namespace highwater
