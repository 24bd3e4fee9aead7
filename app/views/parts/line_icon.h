#pragma once

#include <QIcon>

namespace highwater::gui {

enum class LineIcon
{
    Open,
    Compare,
    Search,
    Note,
    Report,
    Folder,
    File,
    Copy,
    Drop,
    Expand,
    Restore,
    Collapse,
    Close,
    Up,
    Down,
};

/// Drawn with lines of 1.25 pixels on 16×16, at any size and pixel ratio, in the colour of the palette's
/// text, whatever the theme is when it is drawn.
QIcon lineIcon(LineIcon icon);

} // namespace highwater::gui
