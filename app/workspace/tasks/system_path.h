#pragma once

#include <string>

#include <QFile>

namespace highwater::gui {

/// A path of Qt's as the system spells it, for core.
inline std::string systemPath(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

} // namespace highwater::gui
