#pragma once

#include <cstdint>

#include <QString>

namespace highwater::gui {

/// Describes the events [first, last): "no events", "event 1,200", "events 1,200 – 3,399".
QString eventRangeText(std::int64_t first, std::int64_t last);
/// Returns "generation, events 1,200 – 3,399"; without a name, only the events.
QString namedRangeText(const QString& name, std::int64_t first, std::int64_t last);

} // namespace highwater::gui
