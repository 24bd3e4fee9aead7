#include "importers/log/line_patterns.h"

#include <algorithm>

#include "core/base/text_parts.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr int kMaxMatchesOfALine = 1000;

/// Converts a time of this role to seconds.
double secondsOf(double number, Role role)
{
    return role == Role::TimeMilliseconds ? number / 1000 : number;
}

} // namespace

LinePatterns::LinePatterns(const PatternTable& table, FigureSink& figures, KeyValues& keyValues)
    : m_table(table)
    , m_figures(figures)
    , m_keyValues(keyValues)
{
    std::size_t fieldCount = 0;
    for (const LinePattern& pattern : table.lines) {
        m_firstField.push_back(fieldCount);
        fieldCount += pattern.fields.size();
    }
    m_specs.resize(fieldCount, -1);
}

bool LinePatterns::isAlreadyMatched(Range range)
{
    return std::ranges::any_of(m_matchedRanges,
        [&](const Range& matched) { return range.begin < matched.end && matched.begin < range.end; });
}

bool LinePatterns::read(std::size_t index, const LineContext& context)
{
    const LinePattern& pattern = m_table.lines[index];
    const std::string_view text = context.text;
    const int groupCount = pattern.regex->NumberOfCapturingGroups() + 1;
    bool foundRecord = false;
    std::size_t next = 0;
    for (int records = 0; records < kMaxMatchesOfALine && next < text.size(); ++records) {
        Match match;
        if (!pattern.regex->Match(
                piece(text), next, text.size(), re2::RE2::UNANCHORED, match.data(), groupCount))
            break;
        const auto begin = static_cast<std::size_t>(match[0].data() - text.data());
        const Range range{begin, begin + match[0].size()};
        next = std::max(range.end, next + 1);
        if (!isAlreadyMatched(range)) {
            takeRecord(index, context, match);
            m_matchedRanges.push_back(range);
            foundRecord = true;
        }
        if (pattern.onlyAtStart || text.size() - next < pattern.requiredText.size())
            break;
    }
    return foundRecord;
}

RecordFacts LinePatterns::factsOf(const LinePattern& pattern, const LineContext& context, const Match& match)
{
    RecordFacts facts;
    for (const Field& field : pattern.fields) {
        const std::string_view text = view(match[static_cast<std::size_t>(field.group)]);
        if (field.role == Role::Figure || text.empty())
            continue;
        switch (field.role) {
        case Role::Step: facts.step = parseWhole(text); break;
        case Role::Rank: facts.rank = parseWhole(text); break;
        case Role::Device: facts.device = parseWhole(text); break;
        case Role::Epoch: facts.epoch = parseNumber(text).value_or(-1); break;
        case Role::Label: facts.label = trimmed(text); break;
        case Role::Stage: facts.stage = text.substr(0, 60); break;
        case Role::DeviceName: m_figures.setDeviceName(text); break;
        case Role::Time:
        case Role::TimeMilliseconds:
            facts.time = unixTime(secondsOf(parseNumber(text).value_or(0), field.role));
            break;
        case Role::Record:
        case Role::Figure: break;
        }
    }
    if (pattern.labelFrom && facts.label.empty()) {
        Match groups;
        const auto label = pattern.labelFrom->NamedCapturingGroups().at("label");
        if (pattern.labelFrom->Match(piece(context.previous), 0, context.previous.size(),
                re2::RE2::UNANCHORED, groups.data(), label + 1))
            facts.label = trimmed(view(groups[static_cast<std::size_t>(label)]));
    }
    return facts;
}

void LinePatterns::takeRecord(std::size_t index, const LineContext& context, const Match& match)
{
    const LinePattern& pattern = m_table.lines[index];
    RecordFacts facts = factsOf(pattern, context, match);
    if (!pattern.remember.empty())
        m_remembered[pattern.remember] = {facts.device, context.line};
    if (!pattern.recall.empty() && !facts.device)
        if (const auto remembered = m_remembered.find(pattern.recall);
            remembered != m_remembered.end() && context.line - remembered->second.line <= pattern.within)
            facts.device = remembered->second.device;
    m_figures.beginRecord(context, facts);
    for (std::size_t i = 0; i < pattern.fields.size(); ++i) {
        if (pattern.fields[i].role == Role::Figure)
            takeFigure(index, i, facts, match);
        else if (pattern.fields[i].role == Role::Record)
            m_keyValues.readLiteral(
                pattern.id, view(match[static_cast<std::size_t>(pattern.fields[i].group)]), context);
    }
}

void LinePatterns::takeFigure(
    std::size_t index, std::size_t fieldIndex, const RecordFacts& facts, const Match& match)
{
    const LinePattern& pattern = m_table.lines[index];
    const Field& field = pattern.fields[fieldIndex];
    const Measure& measure = field.measure;
    const std::optional<double> number = parseNumber(view(match[static_cast<std::size_t>(field.group)]));
    if (!number)
        return;
    const std::string_view written
        = measure.unitGroup < 0 ? measure.unit : view(match[static_cast<std::size_t>(measure.unitGroup)]);
    const std::optional<Unit> unit = unitOf(written, measure.binaryUnits);
    if (!unit)
        return;
    // Patterns whose line names a stage need a series per stage; they are rare.
    std::int64_t& cachedSpec = m_specs[m_firstField[index] + fieldIndex];
    if (cachedSpec < 0 || !facts.stage.empty()) {
        SeriesSpec spec{{}, measure.metric, std::string(unit->name), measure.unitGuessed, measure.unitNote,
            measure.since, measure.component, measure.stage.empty() ? facts.stage : measure.stage, pattern.id,
            pattern.series};
        cachedSpec = m_figures.series().spec(spec);
    }
    m_figures.add(static_cast<SpecId>(cachedSpec), *number * unit->factor);
}

} // namespace highwater::logs
