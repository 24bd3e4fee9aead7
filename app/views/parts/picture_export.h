#pragma once

#include <QString>
#include <QStringList>

#include "app/views/picture/picture_sheet.h"
#include "app/views/picture/widget_painting.h"
#include "core/base/result.h"

class QWidget;

namespace highwater::gui {

/// Scales of a PNG: pixels of the PNG per pixel of the picture.
inline constexpr double kUsualScale = 2;
inline constexpr double kLargestScale = 8;

/// Saves in the format of the path's extension: ".svg", ".png" at the given scale, or ".pdf" as one page of
/// the picture's size (a pixel is 1/96 inch). SVG and PDF have real text. An existing file is replaced only
/// once the new one is complete. Fails with BadRequest and one sentence for an empty picture, another
/// extension, and a size that a PNG cannot have; fails as `saveBytes` does if the file cannot be written.
Result<void> savePicture(const Picture& picture, const QString& path, double scale = kUsualScale);
/// Saves a sheet at its own scale.
Result<void> savePicture(const PictureSheet& sheet, const QString& path);
/// Copies the picture as on screen, as an image and as SVG, and says so in the status bar of the view's
/// window. Does nothing without a picture.
void copyPicture(const PictureOffer& offer, QWidget& view);
/// Asks for a file, format and preset, saves the picture, and reports success in the status bar of the view's
/// window, and a failure in a message box.
void askWhereToSavePicture(const PictureOffer& offer, QWidget& view);

/// Returns the path from a file dialog, with `ending` appended if it has none of the allowed endings. The
/// dialog did not check the longer path, so this asks whether an existing file may be replaced; if not,
/// returns an empty path.
QString pathWithEnding(
    const QString& path, const QString& ending, const QStringList& allowed, QWidget& parent);

/// Gives a widget the actions "Copy picture" and "Save picture as…" and a context menu of its actions. With
/// `hasMenu`, the widget shows the actions in its own menu. The title is that of the widget's page.
void offerPicture(QWidget& widget, PictureSource source, bool hasMenu = false);
/// Returns the picture that a widget offers, with its page's title; without a source if it offers none.
PictureOffer offeredPicture(const QWidget& widget);

} // namespace highwater::gui
