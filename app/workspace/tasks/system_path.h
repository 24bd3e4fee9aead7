#pragma once

#include <string>

#include <QFile>

namespace highwater::gui {

/// Converts a Qt path to the system's encoding, for core.
inline std::string systemPath(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

} // namespace highwater::gui
