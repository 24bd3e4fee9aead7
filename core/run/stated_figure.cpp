#include <array>
#include <charconv>
#include <string_view>

#include "core/base/characters.h"
#include "core/base/text_parts.h"
#include "core/run/run_shape.h"

namespace highwater {

namespace {

struct Unit
{
    std::string_view text;
    int power;
    bool isBinary;
};

constexpr std::array<Unit, 11> kUnits = {{{"", 0, false}, {"B", 0, false}, {"bytes", 0, false},
    {"KB", 1, false}, {"MB", 2, false}, {"GB", 3, false}, {"TB", 4, false}, {"KiB", 1, true},
    {"MiB", 2, true}, {"GiB", 3, true}, {"TiB", 4, true}}};

/// Removes a number from 0 to 10^18 from the front of the text, and counts its decimals.
std::optional<double> takeNumber(std::string_view& text, int& decimals)
{
    std::size_t length = 0;
    std::size_t point = std::string_view::npos;
    while (length < text.size() && length < 20
        && (isDigit(text[length]) || (text[length] == '.' && point == std::string_view::npos))) {
        if (text[length] == '.')
            point = length;
        ++length;
    }
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + length, number);
    if (error != std::errc() || end != text.data() + length || number > 1e18)
        return std::nullopt;
    decimals = point == std::string_view::npos ? 0 : static_cast<int>(length - point - 1);
    text = trimmed(text.substr(length), " ");
    return number;
}

/// Removes the dash of a range, short or long, from the front of the text.
bool takeDash(std::string_view& text)
{
    for (const std::string_view dash : {"-", "–", "—"})
        if (text.starts_with(dash)) {
            text = trimmed(text.substr(dash.size()), " ");
            return true;
        }
    return false;
}

} // namespace

std::optional<StatedFigure> statedFigureFromText(const std::string& whole)
{
    StatedFigure figure;
    figure.text = whole;
    std::string_view text = trimmed(whole, " ");
    const std::optional<double> low = takeNumber(text, figure.decimals);
    if (!low)
        return std::nullopt;
    figure.low = figure.high = *low;
    if (takeDash(text)) {
        const std::optional<double> high = takeNumber(text, figure.decimals);
        if (!high || *high < *low)
            return std::nullopt;
        figure.high = *high;
    }
    for (const Unit& unit : kUnits)
        if (text == unit.text) {
            figure.power = unit.power;
            figure.isBinary = unit.isBinary;
            return figure;
        }
    return std::nullopt;
}

} // namespace highwater
