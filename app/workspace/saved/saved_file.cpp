#include "app/workspace/saved/saved_file.h"

#include "app/loading/files/atomic_file.h"
#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

Result<void> saveBytes(const QString& path, const QByteArray& bytes)
{
    return writeFileAtomically(
        systemPath(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace highwater::gui
