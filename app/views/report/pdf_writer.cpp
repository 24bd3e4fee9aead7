#include "app/views/report/pdf_writer.h"

#include <algorithm>
#include <array>

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QGuiApplication>
#include <QLocale>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>

#include "app/views/report/pdf_outline.h"
#include "app/views/report/report_text.h"
#include "app/views/report/text_strips.h"
#include "app/workspace/saved/saved_file.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/version.h"

namespace highwater::gui {

namespace {

constexpr double kPointSize = 9.5;
constexpr double kSmallPointSize = 8;
/// A short report whose last page is less full than this is set smaller, if that saves the page.
constexpr double kNearlyEmpty = 0.4;
constexpr std::size_t kMaxFittedPages = 4;
constexpr std::array kSmallerScales{0.95, 0.9};
constexpr double kFigureDotsPerInch = 96;
/// Letters may extend this far beyond the left and right edge of the text.
constexpr double kOverhang = 0.03; ///< inch
constexpr double kPointsPerInch = 72;
constexpr double kFirstOnPage
    = 36; ///< a heading this close to the top, in points, is the first text of its page
constexpr double kAirAboveMark = 8; ///< points left above a heading when a viewer goes to it
const QMarginsF kMargins(17, 15, 17, 14); // mm

/// The pages of a report. A page has a part of the text, a header and a footer. Lengths are in dots of the
/// writer.
class ReportPages
{
public:
    ReportPages(QPdfWriter& writer, const std::shared_ptr<const Report>& report)
        : m_inch(writer.logicalDpiX())
        , m_small(smallFont(writer))
        , m_page(QPointF(), QSizeF(writer.width(), writer.height()))
        , m_body(m_page.adjusted(0, 1.7 * lineHeight(writer), 0, -1.7 * lineHeight(writer)))
        , m_look(lookFor(writer))
    {
        setText(writer, report, 1);
        fitPages(writer, report);
        m_upperMargin = writer.pageLayout().margins(QPageLayout::Point).top();
        for (const SetHeading& heading : m_text->headings())
            mark(heading);
    }

    int count() const { return static_cast<int>(m_spans.size()); }
    const PdfOutline& outline() const { return m_outline; }

    void paint(QPainter& painter, int page)
    {
        const PageSpan& span = m_spans[static_cast<std::size_t>(page)];
        const double header = span.headerBottom - span.headerTop;
        paintText(painter, span.headerTop, span.headerBottom, m_body.top());
        paintText(painter, span.top, span.bottom, m_body.top() + header);
        paintEdges(painter, page);
    }

private:
    /// Adds a heading to the outline. The heading is on the last page that does not begin below it. A page
    /// shared by the report and the appendix counts as one of the report.
    void mark(const SetHeading& heading)
    {
        const double top
            = m_text->documentLayout()->blockBoundingRect(m_text->findBlock(heading.position)).top();
        const auto next = std::ranges::upper_bound(m_spans, top, {}, &PageSpan::top);
        const auto page = std::max<std::ptrdiff_t>(next - m_spans.begin() - 1, 0);
        const PageSpan& span = m_spans[static_cast<std::size_t>(page)];
        const double down = m_body.top() + span.headerBottom - span.headerTop + top - span.top;
        m_outline.marks.push_back({heading.title, heading.level, static_cast<int>(page),
            m_upperMargin + down * kPointsPerInch / m_inch - kAirAboveMark});
        const bool isFirst = (top - span.top) * kPointsPerInch / m_inch < kFirstOnPage;
        if (heading.isAppendix && !m_outline.appendix)
            m_outline.appendix = static_cast<int>(page) + (isFirst ? 0 : 1);
    }

    void setText(QPdfWriter& writer, const std::shared_ptr<const Report>& report, double scale)
    {
        m_look.font.setPointSizeF(kPointSize * scale);
        m_look.spacing = scale;
        m_text = std::make_unique<ReportText>(report, m_look);
        m_text->documentLayout()->setPaintDevice(&writer);
        m_text->setTextWidth(m_body.width());
        m_spans = breakPages(stripsOf(*m_text), m_body.height());
    }

    /// Sets a report of two to four pages smaller if that saves a nearly empty last page.
    void fitPages(QPdfWriter& writer, const std::shared_ptr<const Report>& report)
    {
        const std::size_t pageCount = m_spans.size();
        const double lastHeight = m_spans.back().bottom - m_spans.back().top;
        if (pageCount == 1 || pageCount > kMaxFittedPages || lastHeight > kNearlyEmpty * m_body.height())
            return;
        for (const double scale : kSmallerScales) {
            setText(writer, report, scale);
            if (m_spans.size() < pageCount)
                return;
        }
        setText(writer, report, 1);
    }

    static QFont smallFont(QPdfWriter& writer)
    {
        QFont font(QGuiApplication::font(), &writer);
        font.setPointSizeF(kSmallPointSize);
        return font;
    }

    double lineHeight(QPdfWriter& writer) const { return QFontMetricsF(m_small, &writer).height(); }

    ReportLook lookFor(QPdfWriter& writer) const
    {
        ReportLook look;
        look.isPaper = true;
        look.font = QFont(QGuiApplication::font(), &writer);
        look.font.setPointSizeF(kPointSize);
        look.figurePixel = m_inch / kFigureDotsPerInch;
        look.room = m_body.width();
        // Leaves room for a caption.
        look.height = m_body.height() - 4 * lineHeight(writer);
        return look;
    }

    /// Paints the text from `top` to `bottom` at `y` on the page.
    void paintText(QPainter& painter, double top, double bottom, double y)
    {
        if (bottom <= top)
            return;
        const double overhang = kOverhang * m_inch;
        painter.save();
        painter.translate(m_body.left(), y - top);
        painter.setClipRect(QRectF(-overhang, top, m_body.width() + 2 * overhang, bottom - top));
        QAbstractTextDocumentLayout::PaintContext context;
        // Lines that only touch the range belong to the next page.
        context.clip = QRectF(0, top + 1, m_body.width(), bottom - top - 2);
        context.palette.setColor(QPalette::Text, m_look.colors.text);
        m_text->documentLayout()->draw(&painter, context);
        painter.restore();
    }

    void paintEdges(QPainter& painter, int page)
    {
        painter.setFont(m_small);
        painter.setPen(m_look.colors.quietText);
        const int end = m_outline.appendix && page < *m_outline.appendix ? *m_outline.appendix : count();
        const QString number = QStringLiteral("%1 / %2").arg(
            toQString(pdfPageLabel(m_outline, page)), toQString(pdfPageLabel(m_outline, end - 1)));
        painter.drawText(m_page, Qt::AlignBottom | Qt::AlignRight, number);
        if (page == 0)
            return;
        const QString title
            = QFontMetricsF(m_small, painter.device())
                  .elidedText(toQString(m_text->report().title), Qt::ElideMiddle, m_page.width());
        painter.drawText(m_page, Qt::AlignTop | Qt::AlignLeft, title);
    }

    double m_inch;
    QFont m_small;
    QRectF m_page;
    QRectF m_body;
    ReportLook m_look;
    std::unique_ptr<ReportText> m_text;
    std::vector<PageSpan> m_spans;
    double m_upperMargin = 0; ///< points
    PdfOutline m_outline;
};

} // namespace

QPageSize::PageSizeId usualPaper()
{
    return QLocale().measurementSystem() == QLocale::ImperialUSSystem ? QPageSize::Letter : QPageSize::A4;
}

Result<int> writePdf(std::shared_ptr<const Report> report, QIODevice& device, QPageSize::PageSizeId paper)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(toQString(report->title));
    writer.setCreator(QStringLiteral("Highwater ") + QLatin1String(programVersion()));
    writer.setPageLayout(
        QPageLayout(QPageSize(paper), QPageLayout::Portrait, kMargins, QPageLayout::Millimeter));
    ReportPages pages(writer, report);
    QPainter painter;
    if (!painter.begin(&writer))
        return fail(ErrorCode::BadRequest, "it cannot be written as PDF");
    for (int page = 0; page < pages.count(); ++page) {
        if (page > 0 && !writer.newPage())
            return fail(ErrorCode::BadRequest, "it cannot be written as PDF");
        pages.paint(painter, page);
    }
    painter.end();
    const Result<QByteArray> outlined = withOutline(bytes, pages.outline());
    if (!outlined)
        return tl::unexpected(outlined.error());
    if (device.write(*outlined) != outlined->size())
        return fail(ErrorCode::BadRequest, "it cannot be written as PDF");
    return pages.count();
}

Result<int> savePdf(std::shared_ptr<const Report> report, const QString& path, QPageSize::PageSizeId paper)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const Result<int> pages = writePdf(std::move(report), buffer, paper);
    if (!pages)
        return pages;
    if (const Result<void> saved = saveBytes(path, bytes); !saved)
        return tl::unexpected(saved.error());
    return pages;
}

} // namespace highwater::gui
