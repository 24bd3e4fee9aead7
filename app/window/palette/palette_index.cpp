#include "app/window/palette/palette_index.h"

#include <algorithm>
#include <iterator>
#include <utility>

// Finds entries by the words of a text.
// Input: entries with titles, and what the user has typed.
// Idea: every word must occur; the score of an entry is the sum over the words of the best place where each
// occurs, and a title that is exactly the text wins.
// Example: "step 6".
//   "step 6"                 8 + 8, and the title is the text: 16 + 16
//   "call step6 train.py:6"  6 + 8: "step" begins a word, "6" is one
//   "step 16"                8 + 3: "6" is inside a word
//   "step 5"                 not found

namespace highwater::gui {

namespace {

constexpr int kWholeWord = 8;
constexpr int kWordBegin = 6;
constexpr int kInside = 3;
constexpr int kElsewhere = 1;
/// Entries made from the text itself.
constexpr int kTyped = kWordBegin;
constexpr int kWholeTitle = 16;

struct Match
{
    int score = 0;
    int penalty = 0; ///< of equal scores, the lower comes first
    std::size_t entry = 0;

    bool operator<(const Match& other) const
    {
        if (score != other.score)
            return score > other.score;
        return penalty != other.penalty ? penalty < other.penalty : entry < other.entry;
    }
};

/// Returns the place among entries with the same score: those that can be chosen first, names before
/// sentences.
int penaltyOf(const PaletteEntry& entry)
{
    return (entry.isEnabled ? 0 : 2) + (entry.isSentence ? 1 : 0);
}

/// True outside the text, and at a character that belongs to no word.
bool isBorder(QStringView text, qsizetype at)
{
    return at < 0 || at >= text.size() || !text[at].isLetterOrNumber();
}

/// Returns the score of the word's best place in the title; 0 if it is not there.
int bestPlace(QStringView title, const QString& word)
{
    int best = 0;
    for (qsizetype at = title.indexOf(word); at >= 0 && best < kWholeWord; at = title.indexOf(word, at + 1)) {
        const bool begins = isBorder(title, at - 1) || !word.front().isLetterOrNumber();
        const bool ends = isBorder(title, at + word.size());
        best = std::max(best, !begins ? kInside : ends ? kWholeWord : kWordBegin);
    }
    return best;
}

} // namespace

void PaletteIndex::add(std::vector<PaletteEntry> entries)
{
    m_searched.reserve(m_searched.size() + entries.size());
    for (const PaletteEntry& entry : entries) {
        Searched searched{entry.title.toCaseFolded(), 0};
        searched.titleLength = searched.text.size();
        if (!entry.also.isEmpty())
            searched.text += QLatin1Char('\n') + entry.also.toCaseFolded();
        m_searched.push_back(std::move(searched));
    }
    std::ranges::move(entries, std::back_inserter(m_entries));
}

void PaletteIndex::add(PaletteIndex other)
{
    std::ranges::move(other.m_entries, std::back_inserter(m_entries));
    std::ranges::move(other.m_searched, std::back_inserter(m_searched));
}

/// Returns 0 if a word is missing. Both texts are in lower case.
int PaletteIndex::scoreOf(const Searched& searched, const QString& whole, const QStringList& words)
{
    const QStringView title = QStringView(searched.text).left(searched.titleLength);
    int score = title == whole ? kWholeTitle : 0;
    for (const QString& word : words) {
        int place = bestPlace(title, word);
        if (place == 0 && searched.text.indexOf(word, searched.titleLength) >= 0)
            place = kElsewhere;
        if (place == 0)
            return 0;
        score += place;
    }
    return std::max(1, score); // without words, everything is found
}

PaletteIndex::Found PaletteIndex::find(
    const QString& text, std::size_t limit, const std::vector<PaletteEntry>& typed) const
{
    const QString whole = text.simplified().toCaseFolded();
    const QStringList words = whole.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<Match> matches;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (const int score = scoreOf(m_searched[i], whole, words); score > 0)
            matches.push_back({score, penaltyOf(m_entries[i]), i});
    // Numbered after all others, so that the index tells them apart.
    for (std::size_t i = 0; i < typed.size(); ++i)
        matches.push_back(
            {kTyped * static_cast<int>(words.size()) + 1, penaltyOf(typed[i]), m_entries.size() + i});
    const std::size_t listed = std::min(limit, matches.size());
    std::ranges::partial_sort(matches, matches.begin() + static_cast<std::ptrdiff_t>(listed), std::less<>());
    Found found{{}, matches.size()};
    for (std::size_t i = 0; i < listed; ++i) {
        const std::size_t entry = matches[i].entry;
        found.entries.push_back(
            entry < m_entries.size() ? m_entries[entry] : typed[entry - m_entries.size()]);
    }
    return found;
}

} // namespace highwater::gui
