#include "core/table/cells.h"

#include <cmath>

#include "core/analysis/diff/setting_changes.h"
#include "core/base/text_format.h"

namespace highwater {

Cell bytesCell(Bytes bytes)
{
    return Amount{bytes, AmountKind::ByteCount};
}

Cell bytesCell(const std::optional<Bytes>& bytes)
{
    return bytes ? bytesCell(*bytes) : Cell();
}

Cell deltaCell(Bytes bytes)
{
    return Amount{bytes, AmountKind::ByteDelta};
}

Cell countCell(std::int64_t count)
{
    return Amount{count, AmountKind::Count};
}

Cell eventCell(std::int64_t event)
{
    return Amount{event, AmountKind::Event};
}

Cell shareCell(Bytes part, Bytes whole)
{
    if (whole == 0)
        return {};
    // In floating point: a thousand times a figure from a file may overflow.
    const double share = static_cast<double>(part) / static_cast<double>(whole);
    // The text is of the exact share: rounded twice, 2.49% would become 3%.
    return Cell(Amount{std::llround(share * 1000), AmountKind::PerMille}).show(formatShare(part, whole));
}

Cell factorCell(Bytes part, Bytes whole)
{
    if (whole <= 0)
        return {};
    const double factor = static_cast<double>(part) / static_cast<double>(whole);
    const double digits = factor < 9.995 ? 100 : factor < 99.95 ? 10 : 1;
    return Amount{std::llround(std::round(factor * digits) * 1000 / digits), AmountKind::Factor};
}

Cell gradeCell(std::optional<Grade> grade)
{
    return grade ? Cell(std::string(toText(*grade))).show(std::string(inWords(*grade))) : Cell();
}

Cell textCell(std::string text)
{
    if (text.empty())
        return {};
    return text;
}

Cell settingCell(std::string_view name, std::string value)
{
    std::string shown = shownSetting(name, value);
    const bool isSame = shown == value;
    Cell cell = textCell(std::move(value));
    return isSame ? cell : std::move(cell).show(std::move(shown));
}

} // namespace highwater
