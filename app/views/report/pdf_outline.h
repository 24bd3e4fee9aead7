#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QByteArray>

#include "core/base/result.h"

namespace highwater::gui {

/// A heading of a document and where it is.
struct PdfMark
{
    std::string title;
    int level = 1; ///< from 1; never more than one below that of the mark before
    int page = 0; ///< from 0
    double down = 0; ///< points below the upper edge of the page
};

/// What a reader of a PDF shows beside its pages.
struct PdfOutline
{
    std::vector<PdfMark> marks; ///< in order
    /// Pages from here on are labelled "A-1", "A-2", …, those before "1", "2", …
    std::optional<int> appendix;
};

/// What a page is called, at its foot as in the reader's list of pages.
std::string pdfPageLabel(const PdfOutline& outline, int page);

/// The document with an outline, labels of its pages, its title as that of the reader's window and its
/// language (English). Marks on pages that it does not have are left out. Fails with one sentence where the
/// bytes are no PDF. O(bytes).
Result<QByteArray> withOutline(const QByteArray& pdf, const PdfOutline& outline);

} // namespace highwater::gui
