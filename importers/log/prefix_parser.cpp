#include "importers/log/prefix_parser.h"

#include <algorithm>
#include <array>

#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr int kMaxPrefixes = 12; ///< per line

/// Returns the number of a named group; −1 if there is none.
int groupOf(const re2::RE2& regex, const char* name)
{
    const auto found = regex.NamedCapturingGroups().find(name);
    return found == regex.NamedCapturingGroups().end() ? -1 : found->second;
}

/// Returns the text of a group; empty if `group` is −1 or did not match.
std::string_view groupText(const re2::StringPiece* groups, int group)
{
    return group < 0 ? std::string_view() : view(groups[group]);
}

} // namespace

PrefixParser::PrefixParser(const PatternTable& table, SeriesStore& series)
    : m_series(series)
{
    for (const PrefixPattern& pattern : table.prefixes)
        m_prefixes.push_back({&pattern, groupOf(*pattern.regex, "rank"), groupOf(*pattern.regex, "process")});
}

void PrefixParser::parsePrefixes(LineContext& context) const
{
    context.text = context.whole;
    for (int i = 0; i < kMaxPrefixes && peelOne(context); ++i) { }
}

bool PrefixParser::peelOne(LineContext& context) const
{
    const std::string_view text = context.text;
    if (text.empty())
        return false;
    for (const Prefix& prefix : m_prefixes) {
        if (prefix.pattern->first.find(text.front()) == std::string::npos)
            continue;
        std::array<re2::StringPiece, kMaxGroups> groups;
        const int count = std::min(prefix.pattern->regex->NumberOfCapturingGroups() + 1, kMaxGroups);
        if (!prefix.pattern->regex->Match(
                piece(text), 0, text.size(), re2::RE2::ANCHOR_START, groups.data(), count)
            || groups[0].empty())
            continue;
        if (const auto rank = parseWhole(groupText(groups.data(), prefix.rankGroup)))
            context.writer.rank = rank;
        const std::string_view process = groupText(groups.data(), prefix.processGroup);
        if (!process.empty() && context.writer.process == 0)
            context.writer.process = m_series.process(process);
        context.text = text.substr(groups[0].size());
        return true;
    }
    return false;
}

} // namespace highwater::logs
