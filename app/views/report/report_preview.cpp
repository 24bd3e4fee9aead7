#include "app/views/report/report_preview.h"

#include <algorithm>
#include <cmath>

#include <QAbstractTextDocumentLayout>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QMenu>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextFrame>
#include <QUrl>
#include <QWheelEvent>

#include "app/views/parts/arrange.h"
#include "app/views/parts/picture_export.h"
#include "core/table/sinks/table_rows.h"

namespace highwater::gui {

namespace {

/// Longer lines are hard to read, and figures are made for about this width.
constexpr double kWidestText = 920;
constexpr double kLeastMargin = 18;
constexpr double kWheelZoomStep = 1.1;

} // namespace

ReportPreview::ReportPreview(QWidget* parent)
    : QTextBrowser(parent)
{
    named(this, "reportPreview", tr("The report"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    // The width must not depend on the height, which itself depends on the width.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    connect(this, &QTextBrowser::anchorClicked, this, [](const QUrl& link) {
        if (link.scheme() == QLatin1String("https") || link.scheme() == QLatin1String("http"))
            QDesktopServices::openUrl(link);
    });
}

void ReportPreview::showReport(std::shared_ptr<const Report> report, const QString& otherwise)
{
    m_report = std::move(report);
    m_otherwise = otherwise;
    rebuild();
}

void ReportPreview::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    rebuild();
}

void ReportPreview::setZoom(double zoom)
{
    const double wanted = std::clamp(zoom, kLeastZoom, kMaxZoom);
    if (wanted == m_zoom)
        return;
    m_zoom = wanted;
    rebuild();
    emit zoomChanged();
}

void ReportPreview::rebuild()
{
    const Reading place = reading();
    QTextDocument* const old = m_shown;
    if (!m_report) {
        m_text = nullptr;
        m_shown = new QTextDocument(this);
        m_shown->setDefaultFont(font());
        m_shown->setDocumentMargin(kLeastMargin);
        m_shown->setPlainText(m_otherwise);
        setDocument(m_shown);
    } else {
        ReportLook look;
        look.colors = m_colors;
        look.font = font();
        look.font.setPointSizeF(font().pointSizeF() * m_zoom);
        look.spacing = m_zoom;
        look.figurePixel = m_zoom;
        look.width = viewport()->width();
        look.margins = margins();
        look.room = room();
        m_text = new ReportText(m_report, look, this);
        m_shown = m_text;
        setDocument(m_shown);
    }
    delete old;
    resume(place);
}

double ReportPreview::sideMargin() const
{
    return std::max(kLeastMargin * m_zoom, std::floor((viewport()->width() - kWidestText * m_zoom) / 2));
}

QMarginsF ReportPreview::margins() const
{
    return {sideMargin(), kLeastMargin * m_zoom, sideMargin(), 2 * kLeastMargin * m_zoom};
}

double ReportPreview::room() const
{
    return std::max(100.0, viewport()->width() - 2 * sideMargin());
}

void ReportPreview::fit()
{
    if (m_text)
        m_text->setWidth(viewport()->width(), margins(), room());
}

double ReportPreview::topOf(int position) const
{
    return m_text->documentLayout()->blockBoundingRect(m_text->findBlock(position)).top();
}

/// Returns the vertical range of a section, from its heading to the next heading or the end; nullopt stands
/// for the text before the first heading.
std::pair<double, double> ReportPreview::extentOf(std::optional<ReportPart> part) const
{
    double top = 0;
    double bottom = m_text->size().height();
    if (part)
        top = topOf(m_text->positionOf(*part).value_or(0));
    for (const ReportSection& section : m_text->report().sections) {
        const double other = topOf(m_text->positionOf(section.part).value_or(0));
        if (other > top)
            bottom = std::min(bottom, other);
    }
    return {top, bottom};
}

ReportPreview::Reading ReportPreview::reading() const
{
    Reading reading;
    if (!m_text)
        return reading;
    const double scrolled = verticalScrollBar()->value();
    double highest = 0;
    for (const ReportSection& section : m_text->report().sections) {
        const double top = topOf(m_text->positionOf(section.part).value_or(0));
        if (top <= scrolled && top >= highest) {
            highest = top;
            reading.part = section.part;
        }
    }
    const auto [top, bottom] = extentOf(reading.part);
    reading.share = bottom > top ? (scrolled - top) / (bottom - top) : 0;
    return reading;
}

void ReportPreview::resume(const Reading& reading)
{
    if (!m_text || (reading.part && !m_text->positionOf(*reading.part)))
        return;
    const auto [top, bottom] = extentOf(reading.part);
    verticalScrollBar()->setValue(static_cast<int>(std::lround(top + reading.share * (bottom - top))));
}

void ReportPreview::goTo(ReportPart part)
{
    if (m_text && m_text->positionOf(part))
        verticalScrollBar()->setValue(static_cast<int>(topOf(*m_text->positionOf(part))));
}

const ReportFigure* ReportPreview::figureInView() const
{
    if (!m_text)
        return nullptr;
    const double top = verticalScrollBar()->value();
    const double bottom = top + viewport()->height();
    for (QTextBlock block = m_text->begin(); block.isValid(); block = block.next()) {
        const ReportFigure* const figure = m_text->figureAt(block.position());
        if (!figure)
            continue;
        const QRectF rect = m_text->documentLayout()->blockBoundingRect(block);
        if (rect.bottom() > top && rect.top() < bottom)
            return figure;
    }
    return nullptr;
}

void ReportPreview::resizeEvent(QResizeEvent* event)
{
    const Reading place = reading();
    QTextBrowser::resizeEvent(event);
    fit();
    resume(place);
}

void ReportPreview::wheelEvent(QWheelEvent* event)
{
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QTextBrowser::wheelEvent(event);
        return;
    }
    setZoom(m_zoom * std::pow(kWheelZoomStep, event->angleDelta().y() / 120.0));
    event->accept();
}

void ReportPreview::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu* const menu = createStandardContextMenu(event->pos());
    menu->setObjectName(QStringLiteral("previewMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QTextCursor clicked = cursorForPosition(event->pos());
    const ReportFigure* const figure = m_text ? m_text->figureAt(clicked.position()) : nullptr;
    const Table* const table = m_text ? m_text->tableAt(clicked) : nullptr;
    if (figure || table)
        menu->addSeparator();
    // By the time an entry is chosen, another report may be shown, so entries copy what they need.
    if (figure) {
        menu->addAction(tr("Copy picture"), this,
            [this, offer = figureOffer(figure->wide)] { copyPicture(offer, *this); });
        menu->addAction(tr("Save picture as…"), this,
            [this, offer = figureOffer(figure->wide)] { askWhereToSavePicture(offer, *this); });
    }
    if (table)
        menu->addAction(tr("Copy table as CSV"), this,
            [csv = toCsv(*table)] { QGuiApplication::clipboard()->setText(QString::fromStdString(csv)); });
    menu->popup(event->globalPos());
}

} // namespace highwater::gui
