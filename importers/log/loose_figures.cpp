#include "importers/log/loose_figures.h"

#include <algorithm>

#include "core/base/characters.h"
#include "core/base/text_parts.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kLongestLine = 2000; ///< longer lines are dumps, in which words do not explain figures
constexpr std::size_t kMaxFigures = 64;
constexpr std::size_t kLongestPhrase = 60; ///< most bytes considered before a figure
constexpr std::size_t kBytesAfterFigure = 16;

bool matches(const SharedRegex& regex, std::string_view text)
{
    return re2::RE2::PartialMatch(piece(text), *regex);
}

/// Returns the first group of a match that is not empty; an empty text without a match.
std::string_view firstGroup(const SharedRegex& regex, std::string_view text)
{
    re2::StringPiece groups[kMaxGroups];
    const int count = regex->NumberOfCapturingGroups() + 1;
    if (!regex->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, groups, count))
        return {};
    for (int i = 1; i < count; ++i)
        if (!groups[i].empty())
            return view(groups[i]);
    return {};
}

} // namespace

LooseFigures::LooseFigures(const PatternTable& table, FigureSink& figures)
    : m_words(table.memoryWords)
    , m_figures(figures)
    , m_specs(table.memoryWords.meanings.size() * 2)
    , m_hasSpec(table.memoryWords.meanings.size() * 2)
{
}

void LooseFigures::findFigures(std::string_view text)
{
    m_foundFigures.clear();
    re2::StringPiece groups[4]; // number, whole, unit
    for (std::size_t next = 0; m_foundFigures.size() < kMaxFigures
         && m_words.figure->Match(piece(text), next, text.size(), re2::RE2::UNANCHORED, groups, 4);) {
        const auto offset = [&](const re2::StringPiece& group) {
            return static_cast<std::size_t>(group.data() - text.data());
        };
        next = offset(groups[3]) + groups[3].size();
        const std::string_view unitText = view(groups[3]);
        const std::optional<Unit> unit = unitOf(unitText, true);
        const std::size_t begin = offset(groups[1]);
        const char previousCharacter = begin > 0 ? text[begin - 1] : ' ';
        if (!unit || isLetter(previousCharacter) || previousCharacter == '.' || previousCharacter == '-'
            || previousCharacter == '_')
            continue; // part of a name or a version
        const auto add = [&](const re2::StringPiece& number, std::size_t end) {
            if (const std::optional<double> value = parseNumber(view(number)))
                m_foundFigures.push_back({offset(number), end, *value * unit->factor,
                    unitText.size() == 2 && unitText[1] == 'B', unitText.size() == 1});
        };
        const bool hasTotal = groups[2].data(); // in "10.5/80.0 GB" one unit belongs to both
        add(groups[1], hasTotal ? begin + groups[1].size() : next);
        if (hasTotal)
            add(groups[2], next);
    }
}

RecordFacts LooseFigures::factsOf(std::string_view text) const
{
    RecordFacts facts;
    facts.step = parseWhole(firstGroup(m_words.step, text));
    if (const std::optional<std::int64_t> epoch = parseWhole(firstGroup(m_words.epoch, text)))
        facts.epoch = static_cast<double>(*epoch);
    facts.label = trimmed(firstGroup(m_words.label, text));
    return facts;
}

/// Returns the last device that the text before a figure names.
std::optional<std::int64_t> LooseFigures::deviceBefore(std::string_view text) const
{
    std::optional<std::int64_t> device;
    re2::StringPiece groups[2];
    for (std::size_t next = 0;
         m_words.device->Match(piece(text), next, text.size(), re2::RE2::UNANCHORED, groups, 2);) {
        device = parseWhole(view(groups[1]));
        next = static_cast<std::size_t>(groups[0].data() - text.data())
            + std::max(groups[0].size(), std::size_t{1});
    }
    return device;
}

/// Returns the meaning of a figure from the word directly after it ("15.00G total"), else from the words
/// before it; null if they do not explain it. Sets `isWhole` if the previous figure is a part of this one
/// ("10.00 GB / 70.00 GB").
const MemoryMeaning* LooseFigures::meaningAt(std::string_view text, std::size_t index, bool& isWhole) const
{
    const Figure& figure = m_foundFigures[index];
    const std::size_t previousEnd = index > 0 ? m_foundFigures[index - 1].end : 0;
    std::string_view before = text.substr(previousEnd, figure.begin - previousEnd);
    isWhole = index > 0 && matches(m_words.ratio, before);
    if (isWhole)
        return nullptr;
    if (before.size() > kLongestPhrase)
        before.remove_prefix(before.size() - kLongestPhrase);
    std::string_view after = text.substr(figure.end, kBytesAfterFigure);
    if (index + 1 < m_foundFigures.size())
        after = after.substr(0, std::min(after.size(), m_foundFigures[index + 1].begin - figure.end));
    if (matches(m_words.foreign, before) || matches(m_words.foreign, after))
        return nullptr;
    const std::string_view word = firstGroup(m_words.after, after);
    if (!word.empty())
        return findMeaning(m_words, word, true);
    return figure.isBareUnit || !matches(m_words.before, before) ? nullptr
                                                                 : findMeaning(m_words, before, true);
}

SpecId LooseFigures::specOf(const MemoryMeaning& meaning, bool isDecimal)
{
    const auto index = static_cast<std::size_t>(&meaning - m_words.meanings.data()) * 2
        + static_cast<std::size_t>(isDecimal);
    if (!m_hasSpec[index]) {
        SeriesSpec spec;
        spec.metric = meaning.metric;
        spec.unit = "bytes";
        spec.unitGuessed = isDecimal;
        spec.unitNote = isDecimal ? kAmbiguousUnitNote : "";
        spec.since = contains(meaning.metric, "_peak") ? PeakSince::ProcessStart : PeakSince::NotAPeak;
        spec.pattern = spec.family = "words";
        m_specs[index] = m_figures.series().spec(spec);
        m_hasSpec[index] = true;
    }
    return m_specs[index];
}

bool LooseFigures::mentionsMemory(std::string_view text) const
{
    return m_words.memory && matches(m_words.memory, text);
}

void LooseFigures::read(const LineContext& context)
{
    const std::string_view text = context.text;
    if (text.size() > kLongestLine || !mentionsMemory(text) || matches(m_words.prose, text))
        return;
    findFigures(text);
    bool hasBegunRecord = false;
    const MemoryMeaning* partMeaning = nullptr;
    for (std::size_t i = 0; i < m_foundFigures.size(); ++i) {
        bool isWhole = false;
        const MemoryMeaning* meaning = meaningAt(text, i, isWhole);
        if (isWhole && partMeaning)
            meaning = findMeaning(m_words, "total", true);
        partMeaning = meaning;
        if (!meaning)
            continue;
        if (!hasBegunRecord)
            m_figures.beginRecord(context, factsOf(text));
        hasBegunRecord = true;
        const SpecId spec = specOf(*meaning, m_foundFigures[i].isDecimal);
        if (const auto device = deviceBefore(text.substr(0, m_foundFigures[i].begin)))
            m_figures.add(spec, m_foundFigures[i].bytes, *device);
        else
            m_figures.add(spec, m_foundFigures[i].bytes);
    }
}

} // namespace highwater::logs
