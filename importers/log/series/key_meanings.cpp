#include "importers/log/series/key_meanings.h"

#include <algorithm>
#include <array>

#include "importers/log/patterns/memory_words.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxMeanings = 50'000;
constexpr std::size_t kMaxCandidates = 12;
constexpr std::size_t kLongestKey = 200;

/// Inserts the groups of a match into a pattern like "$1.$2".
std::string filledIn(const std::string& pattern, const re2::StringPiece* groups, int count)
{
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool isGroup = pattern[i] == '$' && i + 1 < pattern.size() && pattern[i + 1] >= '1'
            && pattern[i + 1] <= '9' && pattern[i + 1] - '0' < count;
        if (isGroup)
            text += view(groups[pattern[++i] - '0']);
        else
            text += pattern[i];
    }
    return text;
}

} // namespace

KeyMeanings::KeyMeanings(const PatternTable& table, SeriesStore& series)
    : m_table(table)
    , m_series(series)
{
}

const KeyMeaning& KeyMeanings::meaningOfKey(std::string_view shape, const std::string& key)
{
    static const KeyMeaning kUnknownKey;
    if (key.size() > kLongestKey)
        return kUnknownKey;
    m_lookupKey.assign(shape);
    m_lookupKey += '\n';
    m_lookupKey += key;
    if (const auto found = m_meanings.find(m_lookupKey); found != m_meanings.end())
        return found->second;
    if (m_meanings.size() >= kMaxMeanings)
        return kUnknownKey;
    const KeyMeaning meaning = find(shape, key);
    if (!meaning.rule)
        noteCandidate(key);
    return m_meanings.emplace(m_lookupKey, meaning).first->second;
}

KeyMeaning KeyMeanings::find(std::string_view shape, const std::string& key)
{
    for (const KeyRule& rule : m_table.keys) {
        if (!rule.onlyShapes.empty() && std::ranges::find(rule.onlyShapes, shape) == rule.onlyShapes.end())
            continue;
        std::array<re2::StringPiece, kMaxGroups> groups;
        const int count = rule.key->NumberOfCapturingGroups() + 1;
        if (!rule.key->Match(key, 0, key.size(), re2::RE2::UNANCHORED, groups.data(), count))
            continue;
        KeyMeaning meaning{&rule, 0, 1, {}};
        if (rule.role != Role::Figure)
            return meaning;
        const Measure& measure = rule.measure;
        const auto fillIn = [&](const std::string& text) { return filledIn(text, groups.data(), count); };
        const Unit unit = unitOf(measure.unit, measure.binaryUnits).value_or(Unit{"", 1});
        meaning.factor = unit.factor;
        meaning.device = parseWhole(fillIn(measure.device));
        meaning.spec = m_series.spec({key, fillIn(measure.metric), std::string(unit.name),
            measure.unitGuessed, measure.unitNote, measure.since, fillIn(measure.component),
            fillIn(measure.stage), rule.id, std::string(shape), isFallback(shape)});
        return meaning;
    }
    return findByWords(shape, key);
}

/// Explains a key that ends in a unit and contains words about memory: "gpu_mem_reserved_gb".
KeyMeaning KeyMeanings::findByWords(std::string_view shape, const std::string& key)
{
    const MemoryWords& words = m_table.memoryWords;
    re2::StringPiece groups[kMaxGroups];
    if (!words.key
        || !words.key->Match(
            key, 0, key.size(), re2::RE2::UNANCHORED, groups, words.key->NumberOfCapturingGroups() + 1))
        return {};
    const std::string_view rest = view(groups[1]);
    const std::string_view unitText = view(groups[2]);
    const MemoryMeaning* const meaning = re2::RE2::PartialMatch(piece(rest), *words.memory)
            && !re2::RE2::PartialMatch(piece(rest), *words.foreign)
        ? findMeaning(words, rest, true)
        : nullptr;
    const std::optional<Unit> unit = unitOf(unitText, true);
    if (!meaning || !unit)
        return {};
    const bool isDecimal = unitText.size() == 2;
    const bool isPeak = meaning->metric.ends_with("_peak");
    SeriesSpec spec;
    spec.name = key;
    spec.metric = meaning->metric;
    spec.unit = "bytes";
    spec.unitGuessed = isDecimal;
    spec.unitNote = isDecimal ? kAmbiguousUnitNote : "";
    spec.since = isPeak ? PeakSince::ProcessStart : PeakSince::NotAPeak;
    spec.pattern = "words";
    spec.family = std::string(shape);
    return {&m_wordRule, m_series.spec(spec), unit->factor, {}};
}

bool KeyMeanings::isFallback(std::string_view shape) const
{
    return std::ranges::any_of(m_table.records,
        [shape](const RecordShape& record) { return record.id == shape && record.isFallback; });
}

void KeyMeanings::noteCandidate(const std::string& key)
{
    if (m_table.candidateKey && m_candidates.size() < kMaxCandidates
        && re2::RE2::PartialMatch(key, *m_table.candidateKey))
        m_candidates.push_back(key);
}

} // namespace highwater::logs
