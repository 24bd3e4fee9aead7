#include "core/analysis/categories/allocation_filter.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/categories/category_rule_matcher.h"
#include "core/analysis/usage/address_owners.h"
#include "core/analysis/usage/pool_names.h"
#include "core/analysis/usage/recorded_labels.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

/// Searches for a text or an expression in the displayed text of a frame.
class Matcher
{
public:
    explicit Matcher(const FilterSpec& spec)
    {
        RE2::Options options;
        options.set_case_sensitive(false);
        options.set_log_errors(false);
        options.set_literal(!spec.isRegularExpression);
        m_pattern = std::make_unique<RE2>(spec.text, options);
    }
    bool isValid() const { return m_pattern->ok(); }
    std::string problem() const { return m_pattern->error(); }
    bool matches(const std::string& text) const { return RE2::PartialMatch(text, *m_pattern); }

private:
    std::unique_ptr<RE2> m_pattern;
};

/// Returns, by index of the stack, whether any of its frames matches.
std::vector<std::uint8_t> stackMatches(const Trace& trace, const Matcher& matcher)
{
    return stackBitsByFrame(
        trace.stacks, [&](const Frame& frame) { return matcher.matches(frameLine(trace, frame)); });
}

bool isInWindow(const AllocationTable& allocations, AllocationIndex i, const FilterSpec& spec)
{
    switch (spec.window) {
    case FilterSpec::Window::Anywhere: return true;
    case FilterSpec::Window::BornIn:
        return allocations.birth(i) >= spec.firstEvent && allocations.birth(i) < spec.lastEvent;
    case FilterSpec::Window::LiveIn: break;
    }
    return allocations.birth(i) < spec.lastEvent && allocations.death(i) > spec.firstEvent;
}

/// True if the size and the lifetime are within the bounds of the filter.
bool isInBounds(const AllocationTable& allocations, AllocationIndex i, const FilterSpec& spec)
{
    const Bytes bytes = allocations.bytes(i);
    const std::int64_t end = std::min<std::int64_t>(allocations.death(i), allocations.eventCount());
    const std::int64_t lifetime = end - allocations.birth(i);
    return bytes >= spec.minBytes.value_or(0)
        && bytes <= spec.maxBytes.value_or(std::numeric_limits<Bytes>::max())
        && lifetime >= spec.minLifetimeEvents.value_or(0)
        && lifetime <= spec.maxLifetimeEvents.value_or(std::numeric_limits<std::int64_t>::max());
}

struct Comparison
{
    std::string_view op;
    std::string value;
};

/// Splits "size>=64MiB" into ">=" and "64MiB"; nullopt unless the word begins with the name and a comparison.
std::optional<Comparison> splitComparison(const std::string& word, std::string_view name)
{
    if (!word.starts_with(name))
        return std::nullopt;
    const std::string_view rest = std::string_view(word).substr(name.size());
    for (const std::string_view op : {std::string_view(">="), std::string_view("<="), std::string_view(">"),
             std::string_view("<"), std::string_view("=")})
        if (rest.starts_with(op))
            return Comparison{op, std::string(rest.substr(op.size()))};
    return std::nullopt;
}

template <typename T>
void applyBound(std::optional<T>& low, std::optional<T>& high, std::string_view op, T value)
{
    if (op == ">=" || op == "=")
        low = value;
    if (op == "<=" || op == "=")
        high = value;
    if (op == ">")
        low = value < std::numeric_limits<T>::max() ? value + 1 : value;
    if (op == "<")
        high = value - 1;
}

/// Returns a name without case, spaces and signs: "KV cache" and "kv_cache" become "kvcache".
std::string bareName(std::string_view name)
{
    std::string bare;
    for (const char c : lowered(name))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            bare += c;
    return bare;
}

/// Returns the categories whose name begins like this text, in the legend or in files.
std::vector<Category> categoriesNamed(std::string_view text)
{
    const std::string wanted = bareName(text);
    std::vector<Category> found;
    for (std::size_t i = 0; i < kCategoryCount && !wanted.empty(); ++i) {
        const auto category = static_cast<Category>(i);
        const bool isWeight
            = category == Category::Parameter && std::string_view("weights").starts_with(wanted);
        if (isWeight || bareName(titleOf(category)).starts_with(wanted)
            || bareName(toText(category)).starts_with(wanted))
            found.push_back(category);
    }
    return found;
}

Result<std::vector<Category>> readCategories(std::string_view value)
{
    std::vector<Category> found = categoriesNamed(value);
    if (!found.empty())
        return found;
    std::vector<std::string_view> titles;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        titles.push_back(titleOf(static_cast<Category>(i)));
    return fail(ErrorCode::BadRequest,
        fmt::format("\"{}\" is not a category, as in category:activation; there are {}", value,
            fmt::join(titles, ", ")));
}

/// Returns the name in a word that looks like a condition on something else: "step" of "step:6" or "age" of
/// "age>100". Empty for other words: "model.py:39", "forward:39", "at::empty" and "c:/train" are names and
/// places, and the text of a frame has no word between its colon and a number.
std::string unknownCondition(const std::string& word)
{
    static const re2::RE2 kUnknown(
        "(?:([a-z]{2,}):[a-z][^:/\\\\]*|(step|site|stream|phase|module|stack|device|rank):[^:]+|"
        "([a-z]+)[<>=]+[0-9.]+[kmgt]?i?b?)");
    std::string named;
    std::string numbered;
    std::string compared;
    return re2::RE2::FullMatch(lowered(word), kUnknown, &named, &numbered, &compared)
        ? named + numbered + compared
        : std::string();
}

/// Reads a word that is a condition on size, lifetime, pool or category. Returns false for any other word.
/// Fails with BadRequest for an invalid value.
Result<bool> readCondition(const std::string& word, FilterSpec& spec)
{
    if (const auto size = splitComparison(word, "size")) {
        const std::optional<Bytes> bytes = parseSize(size->value);
        if (!bytes)
            return fail(
                ErrorCode::BadRequest, fmt::format("\"{}\" is not a size, as in size>=64MiB", size->value));
        applyBound(spec.minBytes, spec.maxBytes, size->op, *bytes);
        return true;
    }
    if (const auto life = splitComparison(word, "life")) {
        const std::optional<std::int64_t> events = parsedCount(life->value);
        if (!events)
            return fail(ErrorCode::BadRequest,
                fmt::format("\"{}\" is not a number of events, as in life>100", life->value));
        applyBound(spec.minLifetimeEvents, spec.maxLifetimeEvents, life->op, *events);
        return true;
    }
    if (constexpr std::string_view pool = "pool:"; word.starts_with(pool)) {
        spec.pool = word.substr(pool.size());
        if (spec.pool.empty())
            return fail(ErrorCode::BadRequest, "pool: needs part of a pool's name, as in pool:nccl");
        return true;
    }
    if (constexpr std::string_view category = "category:"; word.starts_with(category)) {
        Result<std::vector<Category>> named = readCategories(std::string_view(word).substr(category.size()));
        if (!named)
            return tl::unexpected<Error>(named.error());
        spec.categories = std::move(*named);
        return true;
    }
    if (const std::string name = unknownCondition(word); !name.empty())
        return fail(ErrorCode::BadRequest,
            fmt::format(
                "\"{}\" is no condition; there are size, life, pool: and category:, and /{}/ for a text",
                name, word));
    return false;
}

/// Returns, by index of the pool, whether its label contains the text.
std::vector<bool> poolMatches(const AllocationTable& allocations, const std::string& text)
{
    std::vector<bool> matches(allocations.trace().pools.size());
    if (text.empty())
        return matches;
    const PoolNames names(allocations);
    for (std::size_t pool = 0; pool < matches.size(); ++pool)
        matches[pool] = contains(lowered(names.label(PoolId(pool))), lowered(text));
    return matches;
}

/// Returns, by index of the label, whether the program's text matches.
std::vector<bool> labelMatches(const RecordedLabels& labels, const Matcher& matcher)
{
    std::vector<bool> matches(labels.size());
    for (std::size_t label = 0; label < matches.size(); ++label)
        matches[label] = matcher.matches(std::string(labels.text(LabelId(label))));
    return matches;
}

/// Removes the spaces within conditions: "size > 64 MiB" becomes "size>64MiB", "cat: optimizer state" becomes
/// "category:optimizer_state".
std::string withConditionsJoined(std::string text)
{
    if (text.starts_with('/'))
        return text; // an expression may have spaces that count
    static const re2::RE2 kOperator("(?i)\\b(size|life)(?:time)?\\s*(>=|<=|>|<|=)\\s*");
    static const re2::RE2 kUnit("(?i)\\b(size[<>=]+[0-9.]+)\\s+([kmgt]?i?b)\\b");
    re2::RE2::GlobalReplace(&text, kOperator, "\\1\\2");
    static const re2::RE2 kCategory("(?i)(^|\\s)(?:category|cat)\\s*:\\s*");
    static const re2::RE2 kLongName(
        "(?i)(category:(?:optimizer|kv|before|before_the))\\s+(states?|cache|the|recording)\\b");
    re2::RE2::GlobalReplace(&text, kUnit, "\\1\\2");
    re2::RE2::GlobalReplace(&text, kCategory, "\\1category:");
    while (re2::RE2::Replace(&text, kLongName, "\\1_\\2")) { }
    // A list of conditions may have commas; elsewhere they may be part of a C++ name.
    static const re2::RE2 kCondition("(?i)(^|\\s)(size[<>=]|life[<>=]|pool:|category:)");
    static const re2::RE2 kComma(",(\\s|$)");
    if (re2::RE2::PartialMatch(text, kCondition))
        re2::RE2::GlobalReplace(&text, kComma, " ");
    return text;
}

/// Tests single allocations. Stacks, labels and pools, which many allocations share, are matched once.
class Filter
{
public:
    Filter(const AllocationTable& allocations, const CategoryTable& categories, const FilterSpec& spec,
        const Matcher& matcher)
        : m_allocations(allocations)
        , m_categories(categories)
        , m_spec(spec)
        , m_matcher(matcher)
        , m_labels(allocations)
        , m_pools(poolMatches(allocations, spec.pool))
        , m_hasAddress(spec.text.starts_with("0x"))
        , m_address(addressFromText(spec.text))
        , m_owners(allocations)
    {
        if (spec.text.empty())
            return;
        m_stackMatches = stackMatches(allocations.trace(), matcher);
        m_labelMatches = labelMatches(m_labels, matcher);
    }

    bool matches(AllocationIndex i) const
    {
        return isInBounds(m_allocations, i, m_spec) && isInWindow(m_allocations, i, m_spec) && isOfCategory(i)
            && isOfPool(i) && hasText(i);
    }

private:
    bool isOfCategory(AllocationIndex i) const
    {
        return m_spec.categories.empty() || std::ranges::count(m_spec.categories, m_categories.of(i)) > 0;
    }

    bool isOfPool(AllocationIndex i) const
    {
        if (m_spec.pool.empty())
            return true;
        const PoolId pool = m_allocations.pool(i);
        return !pool.isNone() && m_pools[pool.index()];
    }

    bool isLabelled(LabelId label) const { return !label.isNone() && m_labelMatches[label.index()]; }

    bool hasText(AllocationIndex i) const
    {
        const StackId stack = m_allocations.stack(i);
        return m_spec.text.empty() || (!stack.isNone() && m_stackMatches[stack.index()])
            || isLabelled(m_labels.of(i)) || isLabelled(m_labels.attachedTo(i))
            || (m_hasAddress && m_matcher.matches(formatAddress(m_allocations.address(i))))
            || (m_address && m_owners.contains(i, *m_address));
    }

    const AllocationTable& m_allocations;
    const CategoryTable& m_categories;
    const FilterSpec& m_spec;
    const Matcher& m_matcher;
    RecordedLabels m_labels;
    std::vector<bool> m_pools;
    std::vector<std::uint8_t> m_stackMatches;
    std::vector<bool> m_labelMatches;
    bool m_hasAddress;
    std::optional<Address> m_address; ///< owners of this address match
    AddressOwners m_owners;
};

} // namespace

bool FilterSpec::isEmpty() const
{
    return text.empty() && pool.empty() && categories.empty() && !minBytes && !maxBytes && !minLifetimeEvents
        && !maxLifetimeEvents && window == Window::Anywhere;
}

Result<FilterSpec> parseFilter(const std::string& text)
{
    FilterSpec spec;
    std::istringstream words(withConditionsJoined(text));
    std::string word;
    while (words >> word) {
        const Result<bool> conditionRead = readCondition(word, spec);
        if (!conditionRead)
            return tl::unexpected<Error>(conditionRead.error());
        if (!*conditionRead)
            spec.text += (spec.text.empty() ? "" : " ") + word;
    }
    if (spec.text.size() > 1 && spec.text.front() == '/' && spec.text.back() == '/') {
        spec.isRegularExpression = true;
        spec.text = spec.text.substr(1, spec.text.size() - 2);
    }
    return spec;
}

std::string frameFilterText(std::string_view function, std::string_view file, std::int32_t line)
{
    // A blank inside a name would be the end of a word, and a word may be a condition ("pool:…").
    const auto quoted = [](std::string_view text) {
        std::string out;
        for (const char c : text) {
            if (contains(" \t\r\n\v\f", std::string_view(&c, 1)))
                out += "\\s";
            else if (contains("\\.+*?()[]{}|^$", std::string_view(&c, 1)))
                out += {'\\', c};
            else
                out += c;
        }
        return out;
    };
    return fmt::format("/^{} {}:{}$/", quoted(function), quoted(file), line); // of a `frameLine`
}

Result<FilterResult> filterAllocations(
    const AllocationTable& allocations, const CategoryTable& categories, const FilterSpec& spec)
{
    const Matcher matcher(spec);
    if (!matcher.isValid())
        return fail(ErrorCode::BadRequest, "is not a regular expression: " + matcher.problem());
    const Filter filter(allocations, categories, spec, matcher);
    FilterResult result;
    result.matches.resize(allocations.size());
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        if (!filter.matches(i))
            continue;
        result.matches[i] = true;
        ++result.count;
        result.bytes += allocations.bytes(i);
    }
    return result;
}

} // namespace highwater
