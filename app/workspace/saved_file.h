#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/result.h"

namespace highwater::gui {

/// Writes a file as a whole: what stood there before stays until all is on the disk. Fails with one sentence
/// that names neither the file nor ends with a full stop.
Result<void> saveBytes(const QString& path, const QByteArray& bytes);

} // namespace highwater::gui
