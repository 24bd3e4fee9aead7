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

/// An icon of lines 1.25 pixels wide on a 16×16 grid. It is drawn for any size and pixel ratio, in the text
/// colour of the palette at that time, so it follows the theme.
QIcon lineIcon(LineIcon icon);

} // namespace highwater::gui
