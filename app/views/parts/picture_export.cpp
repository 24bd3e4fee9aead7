#include "app/views/parts/picture_export.h"

#include <algorithm>
#include <array>

#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QPicture>
#include <QWidget>

#include <qcustomplot.h>

#include "app/timeline/plot_widget.h"
#include "app/views/parts/figure_painter.h"
#include "app/workspace/saved/saved_file.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/version.h"
#include "core/figure/drawing/svg_writer.h"

namespace highwater::gui {

namespace {

constexpr double kPointsPerPixel = 72.0 / 96.0;
constexpr double kMostPixels = 20000; ///< maximum width and height of a PNG

/// Stores the source of a widget's picture, as a child of the widget.
class PictureOffer : public QObject
{
public:
    PictureOffer(QWidget& widget, PictureSource source)
        : QObject(&widget)
        , m_source(std::move(source))
    {
    }

    Picture picture() const { return m_source ? m_source() : Picture(); }

private:
    PictureSource m_source;
};

QImage imageOf(const Picture& picture, double scale)
{
    QImage image((picture.size() * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    picture.paint(painter);
    return image;
}

Result<QByteArray> pngOf(const Picture& picture, double scale)
{
    const QSizeF pixels = picture.size() * scale;
    if (!(scale > 0) || pixels.width() < 1 || pixels.height() < 1 || pixels.width() > kMostPixels
        || pixels.height() > kMostPixels)
        return fail(ErrorCode::BadRequest, "a PNG must be 1 to 20,000 pixels wide and high");
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    imageOf(picture, scale).save(&buffer, "PNG");
    return bytes;
}

Result<QByteArray> svgOf(const Picture& picture)
{
    if (!picture.figure())
        return fail(ErrorCode::BadRequest, "this picture cannot be saved as SVG; use PNG or PDF");
    return QByteArray::fromStdString(toSvg(*picture.figure()));
}

Result<QByteArray> pdfOf(const Picture& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageLayout(
        QPageLayout(QPageSize(picture.size() * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch),
            QPageLayout::Portrait, QMarginsF()));
    writer.setCreator(QStringLiteral("Highwater ") + QLatin1String(programVersion()));
    if (picture.figure())
        writer.setTitle(toQString(picture.figure()->title));
    QPainter painter;
    if (!painter.begin(&writer))
        return fail(ErrorCode::BadRequest, "it cannot be written as PDF");
    painter.scale(writer.width() / picture.size().width(), writer.height() / picture.size().height());
    picture.paint(painter);
    painter.end();
    return bytes;
}

/// A choice of format and scale in the dialog.
struct PictureFormat
{
    const char* title;
    const char* ending;
    double scale;
};
constexpr std::array<PictureFormat, 6> kFormats{
    {{QT_TR_NOOP("SVG, for papers and web pages (*.svg)"), ".svg", 1}, {QT_TR_NOOP("PDF (*.pdf)"), ".pdf", 1},
        {QT_TR_NOOP("PNG, double size (*.png)"), ".png", 2},
        {QT_TR_NOOP("PNG, size on screen (*.png)"), ".png", 1},
        {QT_TR_NOOP("PNG, triple size (*.png)"), ".png", 3},
        {QT_TR_NOOP("PNG, quadruple size (*.png)"), ".png", 4}}};

bool endsWith(const QString& path, const char* ending)
{
    return path.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
}

} // namespace

Picture::Picture(Figure figure)
    : m_size(figure.width, figure.height)
    , m_figure(std::move(figure))
{
}

Picture::Picture(const QSizeF& size, std::function<void(QPainter&)> paint)
    : m_size(size)
    , m_paint(std::move(paint))
{
}

void Picture::paint(QPainter& painter) const
{
    if (m_paint)
        return m_paint(painter);
    painter.setFont(QGuiApplication::font());
    paintFigure(painter, m_figure);
}

Result<void> savePicture(const Picture& picture, const QString& path, double scale)
{
    const Result<QByteArray> bytes = [&]() -> Result<QByteArray> {
        if (picture.isEmpty())
            return fail(ErrorCode::BadRequest, "there is no picture");
        if (endsWith(path, ".svg"))
            return svgOf(picture);
        if (endsWith(path, ".pdf"))
            return pdfOf(picture);
        if (endsWith(path, ".png"))
            return pngOf(picture, scale);
        return fail(ErrorCode::BadRequest, "a picture's file ends in .svg, .png or .pdf");
    }();
    return bytes ? saveBytes(path, *bytes) : tl::unexpected(bytes.error());
}

void copyPicture(const Picture& picture)
{
    if (picture.isEmpty())
        return;
    auto* data = new QMimeData; // the clipboard takes ownership
    data->setImageData(imageOf(picture, kUsualScale));
    if (picture.figure())
        data->setData(QStringLiteral("image/svg+xml"), QByteArray::fromStdString(toSvg(*picture.figure())));
    QGuiApplication::clipboard()->setMimeData(data);
}

void askWhereToSavePicture(const Picture& picture, QWidget& parent)
{
    if (picture.isEmpty())
        return;
    QStringList titles;
    for (const PictureFormat& format : kFormats)
        if (picture.figure() || format.ending != std::string_view(".svg"))
            titles << QObject::tr(format.title);
    QString chosen = titles.first();
    QString path = QFileDialog::getSaveFileName(
        &parent, QObject::tr("Save picture"), {}, titles.join(QStringLiteral(";;")), &chosen);
    if (path.isEmpty())
        return;
    const auto* format = std::ranges::find_if(
        kFormats, [&](const PictureFormat& each) { return QObject::tr(each.title) == chosen; });
    if (format == kFormats.end())
        format = kFormats.begin();
    path = pathWithEnding(path, QLatin1String(format->ending), {".svg", ".png", ".pdf"}, parent);
    if (path.isEmpty())
        return;
    if (const Result<void> saved = savePicture(picture, path, format->scale); !saved)
        QMessageBox::warning(&parent, QObject::tr("Save picture"),
            path + QStringLiteral(": ") + toQString(saved.error().message));
}

QString pathWithEnding(
    const QString& path, const QString& ending, const QStringList& allowed, QWidget& parent)
{
    for (const QString& known : allowed)
        if (path.endsWith(known, Qt::CaseInsensitive))
            return path;
    const QString completePath = path + ending;
    if (!QFileInfo::exists(completePath))
        return completePath;
    const auto answer = QMessageBox::question(&parent, QObject::tr("Replace file"),
        QObject::tr("%1 already exists. Replace it?").arg(QFileInfo(completePath).fileName()));
    return answer == QMessageBox::Yes ? completePath : QString();
}

Picture pictureOf(QWidget& widget)
{
    if (auto* plot = qobject_cast<PlotWidget*>(&widget))
        return {QSizeF(widget.size()), [plot = &plot->canvas(), size = widget.size()](QPainter& painter) {
                    QPicture lines;
                    QCPPainter recorder(&lines);
                    plot->toPainter(&recorder, size.width(), size.height());
                    recorder.end();
                    painter.drawPicture(0, 0, lines);
                }};
    return {QSizeF(widget.size()), [&widget](QPainter& painter) { widget.render(&painter); }};
}

void offerPicture(QWidget& widget, PictureSource source, bool hasMenu)
{
    auto* offer = new PictureOffer(widget, std::move(source));
    auto* copy = new QAction(QObject::tr("Copy picture"), &widget);
    copy->setObjectName(QStringLiteral("copyPicture"));
    QObject::connect(copy, &QAction::triggered, offer, [offer] { copyPicture(offer->picture()); });
    auto* save = new QAction(QObject::tr("Save picture as…"), &widget);
    save->setObjectName(QStringLiteral("savePicture"));
    QObject::connect(save, &QAction::triggered, offer,
        [offer, &widget] { askWhereToSavePicture(offer->picture(), widget); });
    widget.addActions({copy, save});
    if (!hasMenu)
        widget.setContextMenuPolicy(Qt::ActionsContextMenu);
}

Picture offeredPicture(const QWidget& widget)
{
    for (const QObject* child : widget.children())
        if (const auto* offer = dynamic_cast<const PictureOffer*>(child))
            return offer->picture();
    return {};
}

} // namespace highwater::gui
