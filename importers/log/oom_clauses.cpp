#include "importers/log/oom_clauses.h"

#include <algorithm>

#include "core/base/characters.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMostProcesses = 256;

using Amount = std::optional<WrittenBytes> OomFigures::*;

/// Names of groups that hold an amount; a digit after them distinguishes alternatives.
constexpr std::pair<std::string_view, Amount> kAmounts[]
    = {{"requested", &OomFigures::requested}, {"capacity", &OomFigures::capacity},
        {"free", &OomFigures::free}, {"allowed", &OomFigures::allowed}, {"used", &OomFigures::processUsed},
        {"allocated", &OomFigures::allocated}, {"private", &OomFigures::privatePools},
        {"unallocated", &OomFigures::reservedUnallocated}, {"reserved", &OomFigures::reserved}};

/// Far beyond any GPU: how "no limit" is written.
constexpr Bytes kNoLimit = kTiB * 1024;

std::string_view withoutDigit(std::string_view name)
{
    if (!name.empty() && isDigit(name.back()))
        name.remove_suffix(1);
    return name;
}

bool setAmount(std::string_view name, std::string_view text, bool binary, OomFigures& figures)
{
    for (const auto& [amount, member] : kAmounts) {
        if (amount != name)
            continue;
        const std::optional<WrittenBytes> written = parseWrittenBytes(text, binary);
        const bool isNoLimit = written && name == "allowed" && written->bytes >= kNoLimit;
        if (written && !(figures.*member) && !isNoLimit)
            figures.*member = written;
        return true;
    }
    return false;
}

/// The number of a device: digits, or, in messages of some builds, a raw byte.
std::optional<std::int64_t> deviceOf(std::string_view name, std::string_view text)
{
    if (name == "device")
        return parseWhole(text);
    if (name == "device_byte" && !text.empty())
        return static_cast<unsigned char>(text.front());
    return name == "device_zero" ? std::optional<std::int64_t>(0) : std::nullopt;
}

} // namespace

OomClauses::OomClauses(const PatternTable& table)
    : m_table(table)
{
}

bool OomClauses::isComplete(const OomFigures& figures)
{
    return figures.requested && (figures.reservedUnallocated || figures.reserved);
}

void OomClauses::take(const OomClause& clause, const re2::StringPiece* groups, OomFigures& figures) const
{
    ProcessUse process;
    std::optional<WrittenBytes> other;
    for (const auto& [name, index] : clause.regex->NamedCapturingGroups()) {
        const std::string_view text = view(groups[index]);
        if (!groups[index].data())
            continue; // an alternative that is not there
        const std::string_view plain = withoutDigit(name);
        if (plain == "pid")
            process.process = parseWhole(text).value_or(0);
        else if (plain == "other")
            other = parseWrittenBytes(text, clause.binaryUnits);
        else if (plain == "exact" && figures.requested)
            figures.requested = WrittenBytes{parseWhole(text).value_or(figures.requested->bytes), 0};
        else if (!setAmount(plain, text, clause.binaryUnits, figures) && !figures.device)
            figures.device = deviceOf(plain, text);
    }
    if (other && figures.otherProcesses.size() < kMostProcesses) {
        process.used = *other;
        figures.otherProcesses.push_back(process);
    }
    if (!clause.wording.empty())
        figures.wording = clause.wording;
}

int OomClauses::read(std::string_view text, OomFigures& figures) const
{
    int found = 0;
    for (const OomClause& clause : m_table.clauses) {
        const int count = clause.regex->NumberOfCapturingGroups() + 1;
        std::size_t from = 0;
        do {
            re2::StringPiece groups[kMostGroups];
            if (!clause.regex->Match(piece(text), from, text.size(), re2::RE2::UNANCHORED, groups, count))
                break;
            take(clause, groups, figures);
            ++found;
            from = static_cast<std::size_t>(groups[0].data() - text.data())
                + std::max(groups[0].size(), std::size_t{1});
        } while (clause.repeats && from < text.size());
    }
    return found;
}

} // namespace highwater::logs
