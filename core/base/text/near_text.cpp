#include "core/base/text/near_text.h"

#include <algorithm>
#include <array>

namespace highwater {

namespace {

constexpr std::size_t kMaxLetters = 64;
constexpr std::size_t kShortestPrefix = 2;

/// Returns the text as it is compared: the first 64 bytes in lower case, without '-', '_' and blanks.
std::string comparableText(std::string_view text)
{
    std::string plain;
    for (const char c : text.substr(0, kMaxLetters))
        if (c >= 'A' && c <= 'Z')
            plain += static_cast<char>(c - 'A' + 'a');
        else if (c != '-' && c != '_' && c != ' ')
            plain += c;
    return plain;
}

/// Returns the number of letters to add, leave out, change, or swap with their neighbours (optimal string
/// alignment).
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::array<std::vector<std::size_t>, 3> rows; // the two previous rows and the current row
    for (auto& row : rows)
        row.resize(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        rows[1][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        rows[2][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = rows[1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            rows[2][j] = std::min({changed, rows[1][j] + 1, rows[2][j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                rows[2][j] = std::min(rows[2][j], rows[0][j - 2] + 1);
        }
        std::rotate(rows.begin(), rows.begin() + 1, rows.end());
    }
    return rows[1][b.size()];
}

/// Returns the edits that turn `text` into `known`, if they are few: fewer than the letters of `text`, and
/// one, a third of these letters, or two if `text` has four letters or more and begins as `known` does.
/// If more are needed, returns 1 if `text` has two letters or more and `known` begins with all of them, else
/// nullopt.
std::optional<std::size_t> wordDistance(const std::string& text, const std::string& known)
{
    if (text.empty() || known.empty())
        return std::nullopt;
    const std::size_t edits = editDistance(text, known);
    const bool allowsTwo = text.front() == known.front() && text.size() >= 4;
    const std::size_t maxEdits = std::max<std::size_t>(allowsTwo ? 2 : 1, text.size() / 3);
    if (edits <= maxEdits && edits < text.size())
        return edits;
    if (text.size() >= kShortestPrefix && known.starts_with(text))
        return 1;
    return std::nullopt;
}

} // namespace

std::optional<std::string_view> nearestText(std::string_view text, std::span<const std::string_view> known)
{
    const std::string wanted = comparableText(text);
    std::optional<std::string_view> nearest;
    std::size_t leastDistance = 0;
    for (const std::string_view word : known) {
        const std::optional<std::size_t> distance = wordDistance(wanted, comparableText(word));
        if (!distance || (nearest && *distance >= leastDistance))
            continue;
        nearest = word;
        leastDistance = *distance;
    }
    return nearest;
}

std::optional<std::string> nearestText(std::string_view text, const std::vector<std::string>& known)
{
    const std::vector<std::string_view> words(known.begin(), known.end());
    const std::optional<std::string_view> nearest = nearestText(text, std::span(words));
    return nearest ? std::optional(std::string(*nearest)) : std::nullopt;
}

std::string didYouMean(std::string_view text, std::span<const std::string_view> known)
{
    const std::optional<std::string_view> nearest = nearestText(text, known);
    return nearest ? "; did you mean " + std::string(*nearest) + "?" : std::string();
}

std::string didYouMean(std::string_view text, const std::vector<std::string>& known)
{
    const std::optional<std::string> nearest = nearestText(text, known);
    return nearest ? "; did you mean " + *nearest + "?" : std::string();
}

} // namespace highwater
