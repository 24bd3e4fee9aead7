#pragma once

#include <functional>

#include <QSizeF>
#include <QString>

#include "core/base/result.h"
#include "core/figure/drawing/figure.h"

class QPainter;
class QWidget;

namespace highwater::gui {

/// A picture that can be kept: geometry, or something that can be painted at any scale.
class Picture
{
public:
    /// Nothing.
    Picture() = default;
    Picture(Figure figure);
    /// `paint` paints it with its upper left corner at the origin, one unit for each pixel of its size.
    Picture(const QSizeF& size, std::function<void(QPainter&)> paint);

    bool isEmpty() const { return m_size.isEmpty(); }
    QSizeF size() const { return m_size; }
    /// Null: it can be painted, but not be told as geometry, and so not be written as SVG.
    const Figure* figure() const { return m_paint ? nullptr : &m_figure; }
    void paint(QPainter& painter) const;

private:
    QSizeF m_size;
    Figure m_figure;
    std::function<void(QPainter&)> m_paint; ///< null: the figure
};

/// Pixels of a PNG for one of the picture's.
inline constexpr double kUsualScale = 2;
inline constexpr double kLargestScale = 8;

/// Saves by the extension of the path: ".svg", ".png" at the given scale, or ".pdf", one page of the
/// picture's size (a pixel is 1/96 inch) with text as text. An existing file is kept until the new one is
/// complete. Fails with BadRequest and one sentence: another extension, a picture without geometry as SVG, or
/// a file that cannot be written.
Result<void> savePicture(const Picture& picture, const QString& path, double scale = kUsualScale);
/// As pixels, and as SVG where it can be.
void copyPicture(const Picture& picture);
/// Asks where to, in which form and at which scale, and says what went wrong.
void askWhereToSavePicture(const Picture& picture, QWidget& parent);

/// The path that a dialog gave, with this ending where it has none of the allowed ones. Asks before such a
/// file is replaced, which the dialog could not know of; empty: it is to stay.
QString withEnding(const QString& path, const QString& ending, const QStringList& allowed, QWidget& parent);

/// What a widget shows, as it paints itself.
Picture pictureOf(QWidget& widget);

/// Made when it is asked for, on the GUI thread.
using PictureSource = std::function<Picture()>;
/// Gives a widget the actions "Copy picture" and "Save picture as…", and a context menu of its actions. Where
/// it has a menu of its own (`hasMenu`), that shows them.
void offerPicture(QWidget& widget, PictureSource source, bool hasMenu = false);
/// What such a widget shows; empty: it is none, or shows nothing.
Picture offeredPicture(const QWidget& widget);

} // namespace highwater::gui
