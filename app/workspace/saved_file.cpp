#include "app/workspace/saved_file.h"

#include <QSaveFile>

namespace highwater::gui {

Result<void> saveBytes(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return {};
    return fail(ErrorCode::BadRequest, "it cannot be written: " + file.errorString().toStdString());
}

} // namespace highwater::gui
