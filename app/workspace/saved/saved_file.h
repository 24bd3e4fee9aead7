#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/result.h"

namespace highwater::gui {

/// Writes a whole file atomically (app/loading/files/atomic_file.h); takes a Qt path.
Result<void> saveBytes(const QString& path, const QByteArray& bytes);

} // namespace highwater::gui
