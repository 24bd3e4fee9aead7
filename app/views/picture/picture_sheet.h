#pragma once

#include <array>
#include <functional>

#include <QString>

#include "app/views/picture/picture.h"

class QWidget;

namespace highwater::gui {

/// The use of a picture, which determines its size and its theme.
enum class PicturePreset
{
    Screen, ///< as large and in the theme as on screen
    Slide, ///< 1920×1080 pixels, on white
    Paper ///< 85 mm wide, on white
};
inline constexpr std::array kPicturePresets{
    PicturePreset::Screen, PicturePreset::Slide, PicturePreset::Paper};

/// The room for a view on a picture, without the title.
struct PictureRoom
{
    QSizeF size = {}; ///< the size on screen if empty
    bool isOnWhite = false; ///< false for the theme on screen
    double pixelRatio = 2; ///< pixels of a PNG per unit of `size`
};

/// Makes the picture of a view on demand, on the GUI thread. If the view cannot fill the room, the picture
/// has another size and is scaled.
using PictureSource = std::function<Picture(const PictureRoom&)>;

/// The lines above a picture: the verdict of its page, and the line below it. Either may be empty.
struct PictureTitle
{
    QString headline;
    QString detail;
};

/// A page that gives the pictures of its views their title.
class PictureTitler
{
public:
    virtual ~PictureTitler() = default;
    /// Returns the headline of the page and the line below it.
    virtual PictureTitle pictureTitle() const = 0;
    /// Returns the path that is suggested for the picture of a view, such as "/runs/oom-timeline.png"; empty
    /// if there is none.
    virtual QString picturePath(const QWidget& view) const = 0;
};

/// A picture that a view offers; without a source, it offers none.
struct PictureOffer
{
    PictureSource source;
    PictureTitle title;
    QString path = {}; ///< where to save it unless the user chooses otherwise; empty if unknown
};

/// Offers a complete figure, which has its own title, such as one of a report.
PictureOffer figureOffer(Figure figure);

/// A complete picture with its title.
struct PictureSheet
{
    Picture picture = {};
    QString alternativeText = {}; ///< for people who cannot see the picture
    double pixelRatio = 2; ///< pixels of a PNG per pixel of the picture
    double unit = 1; ///< size of a pixel of the picture on paper, in 1/96 inch
};

/// Returns the picture with its title; empty if nothing is offered.
PictureSheet pictureSheet(const PictureOffer& offer, PicturePreset preset);

} // namespace highwater::gui
