#include "core/analysis/detectors/failures/not_on_device.h"

#include <algorithm>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text_format.h"

namespace highwater {

NotOnDevice notOnDeviceFacts(const DetectorInput& input, const Trace& log, const LogEvent& event)
{
    NotOnDevice facts;
    facts.microBatch = input.number({"ppo_micro_batch_size_per_gpu", "micro_batch_size_per_gpu"});
    facts.sleeps = std::ranges::any_of(log.counters,
        [](const CounterSeries& series) { return series.component == "sleep_freed" && series.points() > 0; });
    static const re2::RE2 kEngine("(?i)\\b(?:vllm|sglang|lmdeploy)\\b");
    const auto names = [](std::string_view text) {
        return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), kEngine);
    };
    facts.hasEngine = facts.sleeps || input.share({"gpu_memory_utilization"}) || names(event.text)
        || std::ranges::any_of(
            event.frames, [&](const LogFrame& frame) { return names(log.text(frame.file)); });
    facts.isWindows = std::ranges::any_of(
        event.frames, [&](const LogFrame& frame) { return isWindowsPath(log.text(frame.file)); });
    return facts;
}

std::string notOnDeviceReason(const NotOnDevice& facts)
{
    if (facts.isWindows)
        return ": Windows lends host memory";
    if (facts.sleeps)
        return ": memory that a sleeping engine has unmapped stays counted";
    return facts.hasEngine ? ": memory that the inference engine has unmapped may stay counted" : "";
}

std::string notOnDeviceAction(const NotOnDevice& facts, const OomFigures& figures)
{
    if (facts.isWindows)
        return "Lower the batch or the model: what the run keeps does not fit, and Windows lends slow host "
               "memory for the rest (CUDA sysmem fallback)";
    const Bytes missing
        = figures.requested && figures.free ? figures.requested->bytes - figures.free->bytes : 0;
    const std::string missingText
        = missing > 0 ? fmt::format(": this has to free at least {}", formatBytes(missing)) : "";
    if (facts.hasEngine)
        return fmt::format(
            "Offload the trainer's parameters and optimizer state, or lower its micro batch{}{}",
            facts.microBatch ? fmt::format(" ({} in this run)", *facts.microBatch) : "", missingText);
    return "Lower the batch, or offload state" + missingText;
}

} // namespace highwater
