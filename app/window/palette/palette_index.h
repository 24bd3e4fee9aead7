#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <QString>
#include <QStringList>

namespace highwater::gui {

/// One thing that the palette can do or show.
struct PaletteEntry
{
    QString title; ///< "step 6", "Go › Peak", "sample model.py:39"
    QString kind; ///< one or two words: "step", "command", "call site"
    std::function<void()> run; ///< called on the GUI thread after the palette has closed
    QString detail = {}; ///< a key, or bytes
    QString also = {}; ///< other text by which it is found, such as the full path of a call site
    QString toolTip = {};
    bool isEnabled = true; ///< false if it is listed but cannot be chosen
    bool isSentence = false; ///< its words say little about what it is, so equals with a name come before it
};

/// Entries together with their texts in lower case, made once, so that a keystroke only compares.
/// O(length of all texts) for each search.
class PaletteIndex
{
public:
    /// The best entries for a text, and the number of all that match.
    struct Found
    {
        std::vector<PaletteEntry> entries;
        std::size_t matchCount = 0;
    };

    void add(std::vector<PaletteEntry> entries);
    /// Appends the entries of another index.
    void add(PaletteIndex other);
    std::size_t size() const { return m_entries.size(); }

    /// Returns at most `limit` entries that contain every word of the text, best first; an entry whose title
    /// is the text wins. A word counts most as a whole word of the title, then as the beginning of one, then
    /// inside of one, then in `also`. Of equals, those that can be chosen come first, then names before
    /// sentences, then those added first. Without words, all entries match. `typed` are entries made from the
    /// text itself, such as "event 1,234". They come after titles in which the words are whole, and before
    /// titles in which they only begin words.
    Found find(const QString& text, std::size_t limit, const std::vector<PaletteEntry>& typed = {}) const;

private:
    struct Searched
    {
        QString text; ///< title, line break, `also`; in lower case
        qsizetype titleLength = 0;
    };

    static int scoreOf(const Searched& searched, const QString& whole, const QStringList& words);

    std::vector<PaletteEntry> m_entries;
    std::vector<Searched> m_searched; ///< parallel to m_entries
};

} // namespace highwater::gui
