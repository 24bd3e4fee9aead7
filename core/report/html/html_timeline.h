#pragma once

#include <vector>

#include "core/figure/live/live_timeline.h"
#include "core/report/html/html_writer.h"

namespace highwater {

/// Writes the data of a timeline for resources/report/timeline.js, in an element that shows nothing and runs
/// nothing. Names are escaped as JSON texts, whatever they contain.
void writeTimelineData(HtmlWriter& out, const std::vector<LiveTimeline>& runs);

} // namespace highwater
