#include "importers/log/oom_clauses.h"

#include <algorithm>

#include "core/base/characters.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxProcesses = 256;

using Amount = std::optional<WrittenBytes> OomFigures::*;

/// Names of groups that hold an amount. A digit after the name distinguishes alternatives.
constexpr std::pair<std::string_view, Amount> kAmounts[]
    = {{"requested", &OomFigures::requested}, {"capacity", &OomFigures::capacity},
        {"free", &OomFigures::free}, {"allowed", &OomFigures::allowed}, {"used", &OomFigures::processUsed},
        {"allocated", &OomFigures::allocated}, {"private", &OomFigures::privatePools},
        {"unallocated", &OomFigures::reservedUnallocated}, {"reserved", &OomFigures::reserved},
        {"outside", &OomFigures::outside}, {"largest", &OomFigures::largestFree},
        {"limit", &OomFigures::largestAllowed}, {"needed", &OomFigures::needed}};

/// Some messages express "no limit" by an amount of at least 1 PiB, which is more than any GPU has.
constexpr Bytes kNoLimit = kTiB * 1024;

std::string_view withoutDigit(std::string_view name)
{
    if (!name.empty() && isDigit(name.back()))
        name.remove_suffix(1);
    return name;
}

/// The way amounts are written.
struct AmountForm
{
    bool binary = true;
    std::string_view unit; ///< used where no unit is written
};

/// Returns nothing if the text is not an amount.
std::optional<WrittenBytes> amountOf(std::string_view text, const AmountForm& form)
{
    const bool isBare = !form.unit.empty() && !text.empty() && isDigit(text.back());
    return parseWrittenBytes(
        isBare ? std::string(text) + std::string(form.unit) : std::string(text), form.binary);
}

/// Sets an amount that is still missing. Returns false if the name is not that of an amount.
bool setAmount(std::string_view name, std::string_view text, const AmountForm& form, OomFigures& figures)
{
    for (const auto& [amount, member] : kAmounts) {
        if (amount != name)
            continue;
        const std::optional<WrittenBytes> written = amountOf(text, form);
        const bool isNoLimit = written && name == "allowed" && written->bytes >= kNoLimit;
        if (written && !(figures.*member) && !isNoLimit)
            figures.*member = written;
        return true;
    }
    return false;
}

/// Returns the number of a device, written as digits or, in messages of some builds, as a raw byte.
std::optional<std::int64_t> deviceOf(std::string_view name, std::string_view text)
{
    if (name == "device")
        return parseWhole(text);
    if (name == "device_byte" && !text.empty())
        return static_cast<unsigned char>(text.front());
    return name == "device_zero" ? std::optional<std::int64_t>(0) : std::nullopt;
}

/// Returns the bytes per element for TensorFlow's name of a type; 0 if unknown.
Bytes elementBytes(std::string_view type)
{
    constexpr std::pair<std::string_view, Bytes> kSizes[]
        = {{"float", 4}, {"half", 2}, {"bfloat16", 2}, {"double", 8}, {"int64", 8}, {"int32", 4},
            {"int16", 2}, {"int8", 1}, {"uint8", 1}, {"bool", 1}, {"complex64", 8}, {"complex128", 16}};
    for (const auto& [name, size] : kSizes)
        if (name == type)
            return size;
    return 0;
}

/// Returns the bytes of a tensor of `type` whose shape is written like "64,512"; nothing if the product is
/// unknown or implausible.
std::optional<WrittenBytes> tensorBytes(std::string_view shape, std::string_view type)
{
    constexpr double kMax = 1e15;
    double bytes = static_cast<double>(elementBytes(type));
    for (std::size_t begin = 0; begin <= shape.size();) {
        const std::size_t end = std::min(shape.find(',', begin), shape.size());
        bytes *= static_cast<double>(parseWhole(shape.substr(begin, end - begin)).value_or(0));
        begin = end + 1;
    }
    return bytes >= 1 && bytes < kMax ? std::optional(WrittenBytes{static_cast<Bytes>(bytes), 0})
                                      : std::nullopt;
}

/// Sets the fields that are neither an amount nor a device.
void setText(std::string_view name, std::string_view text, OomFigures& figures)
{
    if (name == "device_kind" && figures.deviceKind.empty())
        figures.deviceKind = text;
    else if (name == "backend" && figures.backend.empty())
        figures.backend = text;
    else if (name == "corrupt")
        figures.requestIsCorrupt = true;
    else if (name == "device_byte" || name == "device_zero")
        figures.deviceKind = "GPU";
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

void OomClauses::takeGroups(const re2::RE2& regex, const re2::StringPiece* groups, bool binaryUnits,
    std::string_view unit, OomFigures& figures)
{
    const AmountForm form{binaryUnits, unit};
    ProcessUse process;
    std::optional<WrittenBytes> otherUse;
    std::string_view exactBytes;
    std::string_view tensorShape;
    std::string_view tensorType;
    for (const auto& [name, index] : regex.NamedCapturingGroups()) {
        const std::string_view text = view(groups[index]);
        if (!groups[index].data())
            continue; // an alternative that did not match
        const std::string_view groupName = withoutDigit(name);
        if (groupName == "pid")
            process.process = parseWhole(text).value_or(0);
        else if (groupName == "other")
            otherUse = amountOf(text, form);
        else if (groupName == "exact")
            exactBytes = text;
        else if (groupName == "shape")
            tensorShape = text;
        else if (groupName == "type")
            tensorType = text;
        else if (!setAmount(groupName, text, form, figures)) {
            setText(groupName, text, figures);
            if (!figures.device)
                figures.device = deviceOf(groupName, text);
        }
    }
    if (!exactBytes.empty() && figures.requested)
        figures.requested = WrittenBytes{parseWhole(exactBytes).value_or(figures.requested->bytes), 0};
    if (!tensorShape.empty() && !figures.requested)
        figures.requested = tensorBytes(tensorShape, tensorType);
    if (otherUse && figures.otherProcesses.size() < kMaxProcesses) {
        process.used = *otherUse;
        figures.otherProcesses.push_back(process);
    }
}

int OomClauses::read(std::string_view text, OomFigures& figures) const
{
    int found = 0;
    for (const OomClause& clause : m_table.clauses) {
        const int count = clause.regex->NumberOfCapturingGroups() + 1;
        std::size_t next = 0;
        do {
            re2::StringPiece groups[kMaxGroups];
            if (!clause.regex->Match(piece(text), next, text.size(), re2::RE2::UNANCHORED, groups, count))
                break;
            takeGroups(*clause.regex, groups, clause.binaryUnits, {}, figures);
            if (!clause.wording.empty())
                figures.wording = clause.wording;
            ++found;
            next = static_cast<std::size_t>(groups[0].data() - text.data())
                + std::max(groups[0].size(), std::size_t{1});
        } while (clause.repeats && next < text.size());
    }
    return found;
}

} // namespace highwater::logs
