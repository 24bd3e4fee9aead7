#pragma once

#include <vector>

#include <QString>

namespace highwater::gui {

/// A heading on a page of the manual.
struct ManualHeading
{
    int level; ///< starts at 1
    QString text;
    QString anchor; ///< unique within the page
};

/// A page of the manual, which is compiled into the program (resources/manual).
struct ManualPage
{
    QString file; ///< "views.md", "findings/growth.md"
    QString text; ///< Markdown
    std::vector<ManualHeading> headings; ///< in order; the first one is the title of the page
};

/// Returns the first page, README.md, and the pages that it links to, in order. A README.md in a folder is
/// followed by the pages that it links to.
std::vector<ManualPage> manualPages();

/// Returns the URL of a page for QTextBrowser; `anchor` may be empty.
QString manualUrl(const QString& file, const QString& anchor = {});

/// Returns the headings of a Markdown text, with the same anchors as websites that show Markdown: the text in
/// lower case, words joined with dashes, and a number after an anchor that was used before.
std::vector<ManualHeading> headingsOf(const QString& markdown);

} // namespace highwater::gui
