#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// Returns the kinds of data that the run has, with their counts; absent kinds are left out. O(messages +
/// points).
std::vector<Examined> examinedData(const DiagnosedRun& run);

/// Returns the entry of the import log about memory that the driver refused, which leaves no event; null if
/// there is none. O(entries of the import log).
const ImportLogEntry* driverRefusal(const Trace& trace);

/// Returns the words that follow a figure of this metric: " allocated", " used on the GPU". Empty if the
/// metric names no quantity.
std::string_view wordsAfterFigure(std::string_view metric);

/// The highest figure of GPU memory in a log's series, in any quantity.
struct HighestFigure
{
    Bytes bytes = 0;
    std::optional<std::int64_t> device;
    std::optional<std::int64_t> rank;
    bool sampled = false; ///< it may have been higher between the points of the series (`isSampled`)
    std::string text; ///< "76.1 GiB reserved at step 12"
};
/// Returns the highest figure; nullopt if no series measures the memory in use. If a log shows which GPUs the
/// process uses, only these count, because other runs may share the machine. O(points).
std::optional<HighestFigure> highestFigure(const std::vector<RunLog>& logs);
/// Returns a sentence if PyTorch's memory of a GPU is above what many samples of the same log show in use on
/// it: "Allocated peak, 29.75 GiB, is above device used, 25.2 GiB: …"; else an empty text. O(points).
std::string contradictionText(const std::vector<RunLog>& logs);

} // namespace highwater
