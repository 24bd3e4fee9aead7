#include "core/figure/drawing/figure.h"

#include <string_view>
#include <utility>

#include "core/base/valid_text.h"

namespace highwater {

namespace {

constexpr double kBoldWidening = 1.1;

/// Returns a width in units of the font size, for the widest common sans-serif font (DejaVu).
double characterWidth(unsigned char lead)
{
    static constexpr std::string_view kThin = "ijl'|";
    static constexpr std::string_view kNarrow = "ftrI.,:;()[]/ -\"!";
    static constexpr std::string_view kWide = "mwMW%@";
    const auto has = [lead](std::string_view set) { return set.find(static_cast<char>(lead)) != set.npos; };
    if (lead >= 0xE3)
        return 1.0; // East Asian scripts and emoji
    if (has(kThin))
        return 0.30;
    if (has(kNarrow))
        return 0.39;
    if (has(kWide))
        return 0.92;
    return lead >= 'A' && lead <= 'Z' ? 0.70 : 0.62;
}

} // namespace

double textWidth(const std::string& text, double size, bool bold)
{
    double width = 0;
    for (const char c : text)
        if (!isContinuationByte(c))
            width += characterWidth(static_cast<unsigned char>(c));
    return width * size * (bold ? kBoldWidening : 1.0);
}

std::string fittedText(const std::string& text, double size, double width)
{
    if (textWidth(text, size) <= width)
        return text;
    static const std::string kTruncationMark = "…";
    double room = width - textWidth(kTruncationMark, size);
    std::size_t fitting = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isContinuationByte(text[i]))
            continue;
        fitting = i;
        room -= characterWidth(static_cast<unsigned char>(text[i])) * size;
        if (room < 0)
            break;
    }
    return fitting == 0 ? "" : text.substr(0, fitting) + kTruncationMark;
}

FigureText fitted(FigureText text, double width)
{
    std::string cut = fittedText(text.text, text.size, text.bold ? width / kBoldWidening : width);
    if (cut != text.text)
        text.whole = std::exchange(text.text, std::move(cut));
    return text;
}

} // namespace highwater
