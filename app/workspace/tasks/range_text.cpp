#include "app/workspace/tasks/range_text.h"

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

QString eventRangeText(std::int64_t first, std::int64_t last)
{
    if (last <= first)
        return QStringLiteral("no events");
    if (last == first + 1)
        return eventText(first);
    return QStringLiteral("events %1 – %2").arg(countText(first), countText(last - 1));
}

QString namedRangeText(const QString& name, std::int64_t first, std::int64_t last)
{
    const QString events = eventRangeText(first, last);
    return name.isEmpty() ? events : QStringLiteral("%1, %2").arg(name, events);
}

} // namespace highwater::gui
