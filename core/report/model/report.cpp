#include "core/report/model/report.h"

#include <array>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

struct PartNames
{
    std::string_view name;
    std::string_view title;
};
constexpr std::array<PartNames, kReportParts> kParts{{
    {"summary", "Summary"},
    {"comparison", "What changed"},
    {"timeline", "Timeline"},
    {"notes", "Notes"},
    {"findings", "Findings"},
    {"peak", "Alive at the peak"},
    {"steps", "Steps"},
    {"budget", "Expected against observed"},
    {"messages", "Out-of-memory messages"},
    {"facts", "Facts and settings"},
    {"provenance", "Where this comes from"},
}};

std::string_view sign(std::int64_t value)
{
    return value < 0 ? "−" : value > 0 ? "+" : "±";
}

std::uint64_t magnitude(std::int64_t value)
{
    return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

std::string countDelta(std::int64_t value)
{
    return value > 0 ? "+" + formatCount(value) : value == 0 ? "±0" : formatCount(value);
}

/// Whole and one digit, in integers: no amount is rounded.
std::string perCent(std::uint64_t perMille)
{
    return fmt::format("{}.{} %", formatCount(static_cast<std::int64_t>(perMille / 10)), perMille % 10);
}

/// Three digits that count: "1.07 ×", "13.3 ×", "1,234 ×".
std::string factor(std::int64_t thousandths)
{
    const std::string minus = thousandths < 0 ? "−" : "";
    const double value = static_cast<double>(magnitude(thousandths)) / 1000;
    if (value >= 99.95)
        return minus + formatCount(static_cast<std::int64_t>(value + 0.5)) + " ×";
    return fmt::format("{}{:.{}f} ×", minus, value, value < 9.995 ? 2 : 1);
}

std::string exactFactor(std::int64_t thousandths)
{
    const std::uint64_t whole = magnitude(thousandths) / 1000;
    const bool isRounded = magnitude(thousandths) % (whole < 10 ? 10 : whole < 100 ? 100 : 1000) != 0;
    if (!isRounded)
        return {};
    return fmt::format("{}{}.{:03} ×", thousandths < 0 ? "−" : "",
        formatCount(static_cast<std::int64_t>(whole)), magnitude(thousandths) % 1000);
}

std::string amountText(const Amount& amount)
{
    switch (amount.kind) {
    case AmountKind::ByteCount: return formatBytes(amount.value);
    case AmountKind::ByteDelta: return formatBytesDelta(amount.value);
    case AmountKind::Count: return formatCount(amount.value);
    case AmountKind::CountDelta: return countDelta(amount.value);
    case AmountKind::Event: return amount.value < 0 ? "–" : formatCount(amount.value);
    case AmountKind::PerMille: return (amount.value < 0 ? "−" : "") + perCent(magnitude(amount.value));
    case AmountKind::PerMilleDelta: return std::string(sign(amount.value)) + perCent(magnitude(amount.value));
    case AmountKind::Factor: return factor(amount.value);
    }
    return {};
}

std::string exactAmount(const Amount& amount)
{
    const bool isRoundedSize = magnitude(amount.value) >= 1024;
    if (amount.kind == AmountKind::ByteCount)
        return isRoundedSize ? formatExactBytes(amount.value) : std::string();
    if (amount.kind == AmountKind::ByteDelta)
        return isRoundedSize ? countDelta(amount.value) + " B" : std::string();
    return amount.kind == AmountKind::Factor ? exactFactor(amount.value) : std::string();
}

} // namespace

std::string cellText(const ReportCell& cell)
{
    if (const std::string* text = std::get_if<std::string>(&cell))
        return *text;
    const Amount* amount = std::get_if<Amount>(&cell);
    return amount ? amountText(*amount) : "–";
}

std::string exactText(const ReportCell& cell)
{
    const Amount* amount = std::get_if<Amount>(&cell);
    return amount ? exactAmount(*amount) : std::string();
}

std::string_view toText(ReportPart part)
{
    return kParts[static_cast<std::size_t>(part)].name;
}

std::string_view titleOf(ReportPart part)
{
    return kParts[static_cast<std::size_t>(part)].title;
}

std::optional<ReportPart> reportPartFromText(std::string_view text)
{
    for (std::size_t i = 0; i < kReportParts; ++i)
        if (kParts[i].name == text)
            return static_cast<ReportPart>(i);
    return std::nullopt;
}

} // namespace highwater
