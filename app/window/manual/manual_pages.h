#pragma once

#include <vector>

#include <QString>

namespace highwater::gui {

struct ManualHeading
{
    int level; ///< from 1
    QString text;
    QString anchor; ///< unique within the page
};

/// A page of the manual, which is compiled into the program (resources/manual).
struct ManualPage
{
    QString file; ///< "views.md", "findings/growth.md"
    QString text; ///< Markdown
    std::vector<ManualHeading> headings; ///< in order; the first one is the page's title
};

/// Every page, in the order in which the first one, README.md, links to them; behind the list of findings
/// those that it links to.
std::vector<ManualPage> manualPages();

/// Where a page lies, for QTextBrowser; `anchor` may be empty.
QString manualUrl(const QString& file, const QString& anchor = {});

/// The headings of a text in Markdown, with the anchors that sites which show Markdown give them: the text in
/// lower case, words joined with dashes, and a number behind those that a heading before has too.
std::vector<ManualHeading> headingsOf(const QString& markdown);

} // namespace highwater::gui
