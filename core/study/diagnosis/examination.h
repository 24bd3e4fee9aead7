#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// Only what there is at least one of. O(messages + points).
std::vector<Examined> examinedOf(const DiagnosedRun& run);

/// The highest figure of GPU memory that a log's series tell, whichever quantity it is.
struct HighestFigure
{
    Bytes bytes = 0;
    std::optional<std::int64_t> device;
    std::optional<std::int64_t> rank;
    std::string text; ///< "76.10 GiB reserved at step 12"
};
/// None: no series is of the memory in use. Of a machine that several runs share the run's own GPU counts,
/// where the file tells it. O(points).
std::optional<HighestFigure> highestFigure(const std::vector<RunLog>& logs);

} // namespace highwater
