#include "importers/log/key_values.h"

#include <algorithm>

#include "core/base/text_parts.h"
#include "importers/log/text/literal_reader.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxPairs = 20'000;
constexpr int kMaxRecordsOfALine = 1000;

/// Returns the epoch that the beginning of a record names, and its step: the one named, or the one that
/// follows from epoch and iteration.
RecordFacts factsOfAnchor(const re2::RE2& regex, const re2::StringPiece* groups)
{
    const auto number = [&](const char* name) { return parseWhole(namedGroupText(regex, groups, name)); };
    RecordFacts facts;
    facts.step = number("step");
    const auto epoch = number("epoch");
    const auto iteration = number("iter");
    const auto iterationCount = number("iters");
    if (epoch)
        facts.epoch = static_cast<double>(*epoch);
    if (!facts.step && epoch && iteration && iterationCount)
        facts.step = (*epoch - 1) * *iterationCount + *iteration;
    return facts;
}

/// Splits "312MB" into number and unit.
std::pair<std::string_view, std::string_view> splitUnit(std::string_view text)
{
    const std::size_t end = text.find_last_of("0123456789.");
    if (end == std::string_view::npos)
        return {text, {}};
    return {text.substr(0, end + 1), trimmed(text.substr(end + 1))};
}

} // namespace

KeyValues::KeyValues(const PatternTable& table, FigureSink& figures)
    : m_table(table)
    , m_figures(figures)
    , m_meanings(table, figures.series())
{
}

bool KeyValues::read(std::size_t index, const LineContext& context)
{
    const RecordShape& shape = m_table.records[index];
    const std::string_view text = context.text;
    const int count = shape.anchor->NumberOfCapturingGroups() + 1;
    std::size_t next = 0;
    bool foundRecord = false;
    for (int records = 0; records < kMaxRecordsOfALine && next < text.size(); ++records) {
        std::array<re2::StringPiece, kMaxGroups> groups;
        if (!shape.anchor->Match(piece(text), next, text.size(), re2::RE2::UNANCHORED, groups.data(), count))
            break;
        const auto begin = static_cast<std::size_t>(groups[0].data() - text.data());
        const std::size_t end = begin + groups[0].size();
        if (shape.continuation) {
            endBlock();
            m_block = &shape;
            m_blockContext = context;
            m_blockContext.text = m_blockContext.whole = m_blockContext.previous = {};
            m_pairs.clear();
            return true;
        }
        if (shape.isLiteral) {
            const std::size_t brace = text.find('{', begin);
            const std::size_t bytesRead
                = brace == std::string_view::npos ? 0 : readLiteral(shape.id, text.substr(brace), context);
            foundRecord |= bytesRead > 0;
            next = bytesRead > 0 ? brace + bytesRead : std::max(end, next + 1);
            continue;
        }
        splitPairs(shape, shape.wholeLine ? text : text.substr(end));
        foundRecord |= takeRecord(shape.id, m_pairs, factsOfAnchor(*shape.anchor, groups.data()), context);
        break; // the pairs continue to the end of the line
    }
    return foundRecord;
}

std::size_t KeyValues::readLiteral(std::string_view shape, std::string_view text, const LineContext& context)
{
    m_pairs.clear();
    const std::optional<std::size_t> bytesRead = readDictionary(text, [this](const LiteralLeaf& leaf) {
        if (m_pairs.size() < kMaxPairs)
            m_pairs.emplace_back(leaf.key, leaf.text);
    });
    return bytesRead && takeRecord(shape, m_pairs, {}, context) ? *bytesRead : 0;
}

bool KeyValues::readPairs(std::string_view shape, const Pairs& pairs, const LineContext& context)
{
    return takeRecord(shape, pairs, {}, context);
}

std::string_view KeyValues::unwrapped(const RecordShape& shape, std::string_view value) const
{
    for (const SharedRegex& wrapper : shape.unwrap) {
        re2::StringPiece groups[2];
        if (value.find('(') != std::string_view::npos && wrapper->NumberOfCapturingGroups() >= 1
            && wrapper->Match(piece(value), 0, value.size(), re2::RE2::ANCHOR_BOTH, groups, 2))
            return view(groups[1]);
    }
    return value;
}

/// Splits a text into pairs of key and value. Appends a piece without a key to the previous value, as in
/// "eta: 1 day, 14:05:50".
void KeyValues::splitPairs(const RecordShape& shape, std::string_view text)
{
    m_pairs.clear();
    for (std::size_t begin = 0; begin <= text.size() && m_pairs.size() < kMaxPairs;) {
        const std::size_t end = std::min(text.find(shape.pairSeparator, begin), text.size());
        const std::string_view piece = trimmed(text.substr(begin, end - begin));
        begin = end + shape.pairSeparator.size();
        const std::size_t split
            = shape.keySeparator == ":" ? piece.rfind(':') : piece.find(shape.keySeparator);
        if (split == std::string_view::npos) {
            if (!piece.empty() && !m_pairs.empty())
                (m_pairs.back().second += shape.pairSeparator) += piece;
            continue;
        }
        const std::string_view value = trimmed(piece.substr(split + shape.keySeparator.size()));
        m_pairs.emplace_back(trimmed(piece.substr(0, split)), unwrapped(shape, value));
    }
}

void KeyValues::continueBlock(const LineContext& context)
{
    std::array<re2::StringPiece, kMaxGroups> groups;
    const re2::RE2& line = *m_block->continuation;
    const std::string_view text = context.text;
    if (m_pairs.size() >= kMaxPairs
        || !line.Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, groups.data(),
            line.NumberOfCapturingGroups() + 1)) {
        endBlock();
        return;
    }
    const auto group = [&](const char* name) {
        return view(groups[static_cast<std::size_t>(line.NamedCapturingGroups().at(name))]);
    };
    m_pairs.emplace_back(trimmed(group("key")), trimmed(group("value")));
}

void KeyValues::endBlock()
{
    if (!m_block)
        return;
    const RecordShape* const shape = std::exchange(m_block, nullptr);
    const Pairs pairs = std::move(m_pairs);
    m_pairs.clear();
    takeRecord(shape->id, pairs, {}, m_blockContext);
}

bool KeyValues::hasKeys(const Pairs& pairs, const std::vector<std::string>& keys) const
{
    return std::ranges::all_of(keys, [&](const std::string& key) {
        return std::ranges::any_of(pairs, [&](const auto& pair) { return pair.first == key; });
    });
}

void KeyValues::takeRole(const KeyRule& rule, std::string_view text, RecordFacts& facts) const
{
    const std::optional<double> number = parseNumber(text);
    if (!number)
        return;
    const bool isInRange = *number >= 0 && *number < 1e15;
    switch (rule.role) {
    case Role::Step:
        if (isInRange)
            facts.step = static_cast<std::int64_t>(*number);
        break;
    case Role::Rank:
        if (isInRange)
            facts.rank = static_cast<std::int64_t>(*number);
        break;
    case Role::Device:
        if (isInRange)
            facts.device = static_cast<std::int64_t>(*number);
        break;
    case Role::Epoch: facts.epoch = *number; break;
    case Role::Time: facts.time = unixTime(*number); break;
    case Role::TimeMilliseconds: facts.time = unixTime(*number / 1000); break;
    default: break;
    }
}

void KeyValues::takeFigure(const KeyMeaning& meaning, std::string_view text)
{
    const KeyRule& rule = *meaning.rule;
    text = trimmed(text);
    if (!rule.measure.suffix.empty() && text.ends_with(rule.measure.suffix))
        text.remove_suffix(rule.measure.suffix.size());
    double factor = meaning.factor;
    std::optional<double> number = parseNumber(text);
    if (!number && rule.measure.unit == "s")
        number = parseDuration(text);
    if (!number) {
        const auto [digits, written] = splitUnit(text);
        const std::optional<Unit> unit = unitOf(written, rule.textIsBinary);
        if (!unit || unit->name != "bytes")
            return;
        number = parseNumber(digits);
        factor = unit->factor;
    }
    if (!number)
        return;
    if (meaning.device)
        m_figures.add(meaning.spec, *number * factor, *meaning.device);
    else
        m_figures.add(meaning.spec, *number * factor);
}

bool KeyValues::takeRecord(
    std::string_view shape, const Pairs& pairs, RecordFacts facts, const LineContext& context)
{
    bool isKnown = false;
    for (const auto& [key, value] : pairs) {
        const KeyMeaning& meaning = m_meanings.meaningOfKey(shape, key);
        if (!meaning.rule)
            continue;
        isKnown = true;
        if (meaning.rule->role != Role::Figure)
            takeRole(*meaning.rule, value, facts);
    }
    if (!isKnown)
        return false;
    m_figures.beginRecord(context, facts);
    for (const auto& [key, value] : pairs) {
        const KeyMeaning& meaning = m_meanings.meaningOfKey(shape, key);
        if (meaning.rule && meaning.rule->role == Role::Figure && hasKeys(pairs, meaning.rule->needsKeys))
            takeFigure(meaning, value);
    }
    return true;
}

} // namespace highwater::logs
