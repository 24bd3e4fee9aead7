#pragma once

#include <functional>

#include <QSizeF>
#include <QString>

#include "core/base/result.h"
#include "core/figure/drawing/figure.h"

class QPainter;
class QWidget;

namespace highwater::gui {

/// A picture to copy or save: a figure with its geometry, or a function that paints at any scale. Only a
/// figure can be written as SVG. Sizes are in pixels at scale 1.
class Picture
{
public:
    /// Makes an empty picture.
    Picture() = default;
    Picture(Figure figure);
    /// `paint` paints the picture with its upper left corner at the origin, one unit per pixel of `size`.
    Picture(const QSizeF& size, std::function<void(QPainter&)> paint);

    bool isEmpty() const { return m_size.isEmpty(); }
    QSizeF size() const { return m_size; }
    /// The figure; null if the picture is a function.
    const Figure* figure() const { return m_paint ? nullptr : &m_figure; }
    void paint(QPainter& painter) const;

private:
    QSizeF m_size;
    Figure m_figure;
    std::function<void(QPainter&)> m_paint; ///< null if m_figure is painted
};

/// Scales of a PNG: pixels of the PNG per pixel of the picture.
inline constexpr double kUsualScale = 2;
inline constexpr double kLargestScale = 8;

/// Saves in the format of the path's extension: ".svg", ".png" at the given scale, or ".pdf" as one page of
/// the picture's size (a pixel is 1/96 inch) with real text. An existing file is replaced only once the new
/// one is complete. Fails with BadRequest and one sentence for another extension, for a picture without
/// geometry as SVG, and for a size that a PNG cannot have; fails as `saveBytes` does if the file cannot be
/// written.
Result<void> savePicture(const Picture& picture, const QString& path, double scale = kUsualScale);
/// Copies the picture as an image, and also as SVG if it has geometry.
void copyPicture(const Picture& picture);
/// Asks for a file, format and scale, saves the picture, and reports a failure.
void askWhereToSavePicture(const Picture& picture, QWidget& parent);

/// Returns the path from a file dialog, with `ending` appended if it has none of the allowed endings. The
/// dialog did not check the longer path, so this asks whether an existing file may be replaced; if not,
/// returns an empty path.
QString pathWithEnding(
    const QString& path, const QString& ending, const QStringList& allowed, QWidget& parent);

/// Returns a picture of the widget as it paints itself. The widget must outlive the picture.
Picture pictureOf(QWidget& widget);

/// Makes the picture on demand, on the GUI thread.
using PictureSource = std::function<Picture()>;
/// Gives a widget the actions "Copy picture" and "Save picture as…" and a context menu of its actions. With
/// `hasMenu`, the widget shows the actions in its own menu.
void offerPicture(QWidget& widget, PictureSource source, bool hasMenu = false);
/// Returns the picture that a widget offers; empty if the widget offers none or shows nothing.
Picture offeredPicture(const QWidget& widget);

} // namespace highwater::gui
