#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QByteArray>

#include "core/base/result.h"

namespace highwater::gui {

/// A heading and its place in a document.
struct PdfMark
{
    std::string title;
    int level = 1; ///< from 1; at most one more than the previous mark's
    int page = 0; ///< counted from 0
    double down = 0; ///< distance from the top of the page, in points
};

/// The outline (bookmarks) and page labels of a PDF.
struct PdfOutline
{
    std::vector<PdfMark> marks; ///< in order of the document
    /// First page of the appendix. Its pages are labelled "A-1", "A-2", …, the pages before "1", "2", …
    std::optional<int> appendix;
};

/// Returns the label of a page, which is printed at its foot and shown in the page list of a viewer.
std::string pdfPageLabel(const PdfOutline& outline, int page);

/// Returns the document with an outline, page labels, its title as the title of the viewer's window, and its
/// language (English). Marks on missing pages are ignored. Fails with one sentence if the bytes are not a
/// PDF. O(bytes).
Result<QByteArray> withOutline(const QByteArray& pdf, const PdfOutline& outline);

} // namespace highwater::gui
