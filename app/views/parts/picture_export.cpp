#include "app/views/parts/picture_export.h"

#include <algorithm>
#include <vector>

#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QPicture>
#include <QStatusBar>
#include <QWidget>

#include "app/views/picture/svg_device.h"
#include "app/workspace/saved/saved_file.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/version.h"
#include "core/figure/drawing/svg_writer.h"

namespace highwater::gui {

namespace {

constexpr double kPointsPerPixel = 72.0 / 96.0;
constexpr double kMaxPixels = 20000; ///< maximum width and height of a PNG
constexpr double kInchesPerMetre = 100 / 2.54;
constexpr int kMessageTime = 6'000; ///< in milliseconds

/// Stores the source of a widget's picture, as a child of the widget.
class OfferedSource : public QObject
{
public:
    OfferedSource(QWidget& widget, PictureSource source)
        : QObject(&widget)
        , m_source(std::move(source))
    {
    }

    const PictureSource& source() const { return m_source; }

private:
    PictureSource m_source;
};

QImage imageOf(const PictureSheet& sheet)
{
    const double scale = sheet.pixelRatio;
    QImage image((sheet.picture.size() * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    sheet.picture.paint(painter);
    painter.end();
    // Set last, because the size of the texts depends on the dots per metre.
    const int dotsPerMetre = qRound(scale / sheet.unit * 96 * kInchesPerMetre);
    image.setDevicePixelRatio(1);
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    return image;
}

Result<QByteArray> pngOf(const PictureSheet& sheet)
{
    const QSizeF pixels = sheet.picture.size() * sheet.pixelRatio;
    if (!(sheet.pixelRatio > 0) || pixels.width() < 1 || pixels.height() < 1 || pixels.width() > kMaxPixels
        || pixels.height() > kMaxPixels)
        return fail(ErrorCode::BadRequest, "a PNG must be 1 to 20,000 pixels wide and high");
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    imageOf(sheet).save(&buffer, "PNG");
    return bytes;
}

QByteArray svgOf(const PictureSheet& sheet)
{
    if (const Figure* figure = sheet.picture.figure())
        return QByteArray::fromStdString(toSvg(*figure));
    SvgDevice device(sheet.picture.size(), sheet.unit, sheet.alternativeText);
    QPainter painter(&device);
    sheet.picture.paint(painter);
    painter.end();
    return device.document();
}

Result<QByteArray> pdfOf(const PictureSheet& sheet)
{
    const QSizeF size = sheet.picture.size();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    // Qt scales a recorded widget to the resolution of the page.
    writer.setResolution(QPicture().logicalDpiX());
    writer.setPageLayout(QPageLayout(
        QPageSize(size * sheet.unit * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch),
        QPageLayout::Portrait, QMarginsF()));
    writer.setCreator(QStringLiteral("Highwater ") + QLatin1String(programVersion()));
    const Figure* figure = sheet.picture.figure();
    writer.setTitle(figure ? toQString(figure->title) : sheet.alternativeText);
    QPainter painter;
    if (!painter.begin(&writer))
        return fail(ErrorCode::BadRequest, "it cannot be written as PDF");
    painter.scale(writer.width() / size.width(), writer.height() / size.height());
    sheet.picture.paint(painter);
    painter.end();
    return bytes;
}

/// A choice of format and preset in the dialog.
struct PictureFormat
{
    QString title;
    QString ending;
    PicturePreset preset;
};

QString presetText(PicturePreset preset)
{
    switch (preset) {
    case PicturePreset::Slide: return QObject::tr("Slide, 1920×1080");
    case PicturePreset::Paper: return QObject::tr("Paper column, 85 mm wide");
    case PicturePreset::Screen: break;
    }
    return QObject::tr("As on screen");
}

std::vector<PictureFormat> pictureFormats()
{
    std::vector<PictureFormat> formats;
    for (const PicturePreset preset : kPicturePresets)
        for (const char* name : {"PNG", "SVG", "PDF"}) {
            const QString ending = QLatin1Char('.') + QString::fromLatin1(name).toLower();
            formats.push_back(
                {QStringLiteral("%1: %2 (*%3)").arg(presetText(preset), QLatin1String(name), ending), ending,
                    preset});
        }
    return formats;
}

bool endsWith(const QString& path, const char* ending)
{
    return path.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
}

/// Shows a text for some seconds in the status bar of the view's window, if it has one.
void sayInStatusBar(const QWidget& view, const QString& text)
{
    if (const auto* window = qobject_cast<QMainWindow*>(view.window()))
        window->statusBar()->showMessage(text, kMessageTime);
}

/// Returns the page that contains the widget; null if there is none.
const PictureTitler* pageOf(const QWidget& widget)
{
    for (const QWidget* outer = &widget; outer; outer = outer->parentWidget())
        if (const auto* page = dynamic_cast<const PictureTitler*>(outer))
            return page;
    return nullptr;
}

} // namespace

Result<void> savePicture(const Picture& picture, const QString& path, double scale)
{
    return savePicture(PictureSheet{.picture = picture, .pixelRatio = scale}, path);
}

Result<void> savePicture(const PictureSheet& sheet, const QString& path)
{
    const Result<QByteArray> bytes = [&]() -> Result<QByteArray> {
        if (sheet.picture.isEmpty())
            return fail(ErrorCode::BadRequest, "there is no picture");
        if (endsWith(path, ".svg"))
            return svgOf(sheet);
        if (endsWith(path, ".pdf"))
            return pdfOf(sheet);
        if (endsWith(path, ".png"))
            return pngOf(sheet);
        return fail(ErrorCode::BadRequest, "a picture's file ends in .svg, .png or .pdf");
    }();
    return bytes ? saveBytes(path, *bytes) : tl::unexpected(bytes.error());
}

void copyPicture(const PictureOffer& offer, QWidget& view)
{
    const PictureSheet sheet = pictureSheet(offer, PicturePreset::Screen);
    if (sheet.picture.isEmpty())
        return;
    auto* data = new QMimeData; // the clipboard takes ownership
    data->setImageData(imageOf(sheet));
    data->setData(QStringLiteral("image/svg+xml"), svgOf(sheet));
    QGuiApplication::clipboard()->setMimeData(data);
    sayInStatusBar(view, QObject::tr("Picture copied"));
}

void askWhereToSavePicture(const PictureOffer& offer, QWidget& view)
{
    if (!offer.source)
        return;
    const std::vector<PictureFormat> formats = pictureFormats();
    QStringList titles;
    for (const PictureFormat& format : formats)
        titles << format.title;
    QString chosen = titles.first();
    QString path = QFileDialog::getSaveFileName(
        &view, QObject::tr("Save picture"), offer.path, titles.join(QStringLiteral(";;")), &chosen);
    if (path.isEmpty())
        return;
    auto format = std::ranges::find(formats, chosen, &PictureFormat::title);
    if (format == formats.end())
        format = formats.begin();
    if (path == offer.path && !path.endsWith(format->ending)) // the suggested ending follows the format
        path.chop(QFileInfo(path).suffix().size() + 1);
    path = pathWithEnding(path, format->ending, {".svg", ".png", ".pdf"}, view);
    if (path.isEmpty())
        return;
    if (const Result<void> saved = savePicture(pictureSheet(offer, format->preset), path); !saved)
        QMessageBox::warning(&view, QObject::tr("Save picture"),
            path + QStringLiteral(": ") + toQString(saved.error().message));
    else
        sayInStatusBar(view, QObject::tr("Saved %1").arg(QFileInfo(path).fileName()));
}

QString pathWithEnding(
    const QString& path, const QString& ending, const QStringList& allowed, QWidget& parent)
{
    for (const QString& allowedEnding : allowed)
        if (path.endsWith(allowedEnding, Qt::CaseInsensitive))
            return path;
    const QString completePath = path + ending;
    if (!QFileInfo::exists(completePath))
        return completePath;
    const auto answer = QMessageBox::question(&parent, QObject::tr("Replace file"),
        QObject::tr("%1 already exists. Replace it?").arg(QFileInfo(completePath).fileName()));
    return answer == QMessageBox::Yes ? completePath : QString();
}

void offerPicture(QWidget& widget, PictureSource source, bool hasMenu)
{
    new OfferedSource(widget, std::move(source));
    auto* copy = new QAction(QObject::tr("Copy picture"), &widget);
    copy->setObjectName(QStringLiteral("copyPicture"));
    copy->setToolTip(QObject::tr("Copy this view as it is on screen, as an image and as SVG"));
    QObject::connect(
        copy, &QAction::triggered, &widget, [&widget] { copyPicture(offeredPicture(widget), widget); });
    auto* save = new QAction(QObject::tr("Save picture as…"), &widget);
    save->setObjectName(QStringLiteral("savePicture"));
    save->setToolTip(QObject::tr("Save this view as it is on screen, for a slide or for a paper"));
    QObject::connect(save, &QAction::triggered, &widget,
        [&widget] { askWhereToSavePicture(offeredPicture(widget), widget); });
    widget.addActions({copy, save});
    if (!hasMenu)
        widget.setContextMenuPolicy(Qt::ActionsContextMenu);
}

PictureOffer offeredPicture(const QWidget& widget)
{
    for (const QObject* child : widget.children())
        if (const auto* offered = dynamic_cast<const OfferedSource*>(child)) {
            const PictureTitler* const page = pageOf(widget);
            return {offered->source(), page ? page->pictureTitle() : PictureTitle(),
                page ? page->picturePath(widget) : QString()};
        }
    return {};
}

} // namespace highwater::gui
