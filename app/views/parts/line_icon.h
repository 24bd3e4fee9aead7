#pragma once

#include <QIcon>

namespace highwater::gui {

/// The icons of the program.
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

/// Returns an icon of lines 1.25 pixels wide on a 16×16 grid. It is drawn anew for each size and palette, so
/// that it is sharp and follows the theme.
QIcon lineIcon(LineIcon icon);

} // namespace highwater::gui
