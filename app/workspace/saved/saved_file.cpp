#include "app/workspace/saved/saved_file.h"

#include <QFile>

#include "app/loading/files/atomic_file.h"

namespace highwater::gui {

Result<void> saveBytes(const QString& path, const QByteArray& bytes)
{
    return writeFileAtomically(QFile::encodeName(path).toStdString(),
        std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace highwater::gui
