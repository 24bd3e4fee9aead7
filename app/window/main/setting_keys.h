#pragma once

namespace highwater::gui {

/// Keys of the settings that several files of the window read or write.
inline constexpr const char* kKeepLargeKey = "keepLargeFiles"; ///< bool: large files are cached
inline constexpr const char* kThemeKey = "theme"; ///< `themeName` of the chosen theme
inline constexpr const char* kTextPercentKey = "textPercent"; ///< int: text size in percent of the desktop's

} // namespace highwater::gui
