#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/result.h"

namespace highwater::gui {

/// Writes a file as a whole (app/loading/files/atomic_file.h), by a path as Qt spells it.
Result<void> saveBytes(const QString& path, const QByteArray& bytes);

} // namespace highwater::gui
