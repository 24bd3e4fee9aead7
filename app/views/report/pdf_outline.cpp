#include "app/views/report/pdf_outline.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>
// Macro of qpdf: its headers then use std::shared_ptr instead of their own pointer.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include "core/report/model/plain_text.h"

namespace highwater::gui {

namespace {

using Object = QPDFObjectHandle;

constexpr const char* kAppendixPrefix = "A-";

/// Builds the entries of an outline and links them as PDF requires: an entry refers to its parent and its
/// neighbours, a parent to its first and last child.
class OutlineTree
{
public:
    explicit OutlineTree(QPDF& pdf)
        : m_pdf(pdf)
    {
        m_parents.push_back({pdf.makeIndirectObject(Object::newDictionary()), 0});
        root().replaceKey("/Type", Object::newName("/Outlines"));
    }

    void add(const PdfMark& mark, const Object& destination)
    {
        const std::size_t level
            = std::clamp<std::size_t>(static_cast<std::size_t>(mark.level), 1, m_parents.size());
        m_parents.resize(level);
        Object item = m_pdf.makeIndirectObject(Object::newDictionary());
        item.replaceKey("/Title", Object::newUnicodeString(shownText(mark.title)));
        item.replaceKey("/Dest", destination);
        append(m_parents.back(), item);
        m_parents.push_back({item, 0});
    }

    bool isEmpty() { return !root().hasKey("/First"); }
    Object& root() { return m_parents.front().object; }

private:
    struct Parent
    {
        Object object;
        int children = 0;
    };

    void append(Parent& parent, Object& item)
    {
        item.replaceKey("/Parent", parent.object);
        if (parent.children++ == 0) {
            parent.object.replaceKey("/First", item);
        } else {
            Object last = parent.object.getKey("/Last");
            last.replaceKey("/Next", item);
            item.replaceKey("/Prev", last);
        }
        parent.object.replaceKey("/Last", item);
        // Entries below the first level are collapsed, which PDF marks by a negative count.
        const bool isRoot = m_parents.size() == 1;
        parent.object.replaceKey("/Count", Object::newInteger(isRoot ? parent.children : -parent.children));
    }

    QPDF& m_pdf;
    std::vector<Parent> m_parents; ///< the root, then the ancestors of the last entry, then that entry
};

/// Returns a link to a position on a page; the viewer keeps its zoom.
Object destination(const Object& page, double down)
{
    const Object::Rectangle sheet = QPDFPageObjectHelper(page).getMediaBox().getArrayAsRectangle();
    return Object::newArray({page, Object::newName("/XYZ"), Object::newNull(),
        Object::newReal(std::clamp(sheet.ury - down, sheet.lly, sheet.ury), 1), Object::newNull()});
}

/// Returns the page labels as PDF has them: the first page and the prefix of each range.
Object labelsOf(const PdfOutline& outline, int pages)
{
    std::vector<Object> ranges;
    const auto add = [&](int first, const char* prefix) {
        Object range = Object::newDictionary();
        range.replaceKey("/S", Object::newName("/D"));
        if (*prefix)
            range.replaceKey("/P", Object::newString(prefix));
        ranges.insert(ranges.end(), {Object::newInteger(first), range});
    };
    if (outline.appendix.value_or(1) > 0)
        add(0, "");
    if (outline.appendix && *outline.appendix < pages)
        add(*outline.appendix, kAppendixPrefix);
    Object labels = Object::newDictionary();
    labels.replaceKey("/Nums", Object::newArray(ranges));
    return labels;
}

void addOutline(QPDF& pdf, const PdfOutline& outline)
{
    const std::vector<Object>& pages = pdf.getAllPages();
    OutlineTree tree(pdf);
    for (const PdfMark& mark : outline.marks)
        if (mark.page >= 0 && static_cast<std::size_t>(mark.page) < pages.size())
            tree.add(mark, destination(pages[static_cast<std::size_t>(mark.page)], mark.down));
    Object catalog = pdf.getRoot();
    if (!tree.isEmpty())
        catalog.replaceKey("/Outlines", tree.root());
    catalog.replaceKey("/PageLabels", labelsOf(outline, static_cast<int>(pages.size())));
    catalog.replaceKey("/Lang", Object::newString("en"));
    Object preferences = Object::newDictionary();
    preferences.replaceKey("/DisplayDocTitle", Object::newBool(true));
    catalog.replaceKey("/ViewerPreferences", preferences);
}

} // namespace

std::string pdfPageLabel(const PdfOutline& outline, int page)
{
    return outline.appendix && page >= *outline.appendix
        ? fmt::format("{}{}", kAppendixPrefix, page - *outline.appendix + 1)
        : std::to_string(page + 1);
}

Result<QByteArray> withOutline(const QByteArray& bytes, const PdfOutline& outline)
{
    // qpdf throws exceptions on errors.
    try {
        QPDF pdf;
        pdf.setSuppressWarnings(true);
        pdf.processMemoryFile("report", bytes.constData(), static_cast<std::size_t>(bytes.size()));
        addOutline(pdf, outline);
        QPDFWriter writer(pdf);
        writer.setOutputMemory();
        writer.write();
        const auto written = writer.getBufferSharedPointer();
        return QByteArray(
            reinterpret_cast<const char*>(written->getBuffer()), static_cast<qsizetype>(written->getSize()));
    } catch (const std::exception& error) {
        return fail(ErrorCode::BadRequest, fmt::format("its outline cannot be written: {}", error.what()));
    }
}

} // namespace highwater::gui
