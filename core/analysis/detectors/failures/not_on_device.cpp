#include "core/analysis/detectors/failures/not_on_device.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Shares are advised in steps of a twentieth; an engine with less than a tenth of a GPU has no room.
constexpr double kShareSteps = 20;
constexpr double kLeastEngineShare = 0.1;

/// Returns the largest share with which the missing bytes of the request are free, or nullopt if none is.
std::optional<double> fittingShare(double share, Bytes missing, Bytes capacity)
{
    const double most = share - static_cast<double>(missing) / static_cast<double>(capacity);
    const double fitting = std::floor(most * kShareSteps) / kShareSteps;
    return fitting >= kLeastEngineShare ? std::optional(fitting) : std::nullopt;
}

/// Returns "; at 0.4 it leaves 15.84 GiB more, and 12.69 GiB are missing". Empty if the figures do not say.
std::string lowerShareText(double share, const OomFigures& figures)
{
    if (!figures.requested || !figures.free || !figures.capacity || figures.capacity->bytes <= 0)
        return {};
    const Bytes missing = figures.requested->bytes - figures.free->bytes;
    const auto bytesOf = [&](double part) {
        return static_cast<Bytes>(part * static_cast<double>(figures.capacity->bytes));
    };
    const std::optional<double> fitting = fittingShare(share, missing, figures.capacity->bytes);
    if (missing <= 0 || !fitting)
        return fmt::format("; each 0.1 less leaves {} more", formatBytes(bytesOf(0.1)));
    return fmt::format("; {:.2g} leaves {} more, where {} is missing", *fitting,
        formatBytes(bytesOf(share - *fitting)), formatBytes(missing));
}

} // namespace

NotOnDevice notOnDeviceFacts(const DetectorInput& input, const Trace& log, const LogEvent& event)
{
    NotOnDevice facts;
    facts.engineShare = input.share({"gpu_memory_utilization"});
    facts.sleeps = std::ranges::any_of(log.counters,
        [](const CounterSeries& series) { return series.component == "sleep_freed" && series.points() > 0; });
    static const re2::RE2 kEngine("(?i)\\b(?:vllm|sglang|lmdeploy)\\b");
    const auto names = [](std::string_view text) {
        return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), kEngine);
    };
    facts.hasEngine = facts.sleeps || facts.engineShare || names(event.text)
        || std::ranges::any_of(
            event.frames, [&](const LogFrame& frame) { return names(log.text(frame.file)); });
    facts.isWindows = std::ranges::any_of(
        event.frames, [&](const LogFrame& frame) { return isWindowsPath(log.text(frame.file)); });
    return facts;
}

std::string notOnDeviceReason(const NotOnDevice& facts)
{
    if (facts.isWindows)
        return " (Windows lends host memory)";
    if (facts.sleeps)
        return " (unmapped memory of a sleeping engine stays counted)";
    return facts.hasEngine ? " (what the inference engine has unmapped may stay counted)" : "";
}

std::string notOnDeviceAction(const NotOnDevice& facts, const OomFigures& figures)
{
    if (facts.isWindows)
        return "Lower the batch or the model: what the run keeps does not fit, and Windows lends slow host "
               "memory for the rest (CUDA sysmem fallback)";
    if (facts.engineShare)
        return fmt::format(
            "Lower the engine's share of the GPU (gpu_memory_utilization, {:.2g} in this run){}",
            *facts.engineShare, lowerShareText(*facts.engineShare, figures));
    if (facts.hasEngine)
        return "Lower the engine's share of the GPU (gpu_memory_utilization), or offload parameters and "
               "optimizer state of the training: both do not fit together";
    return "Keep less in memory, since this is more than the GPU has: lower the batch, or offload state";
}

} // namespace highwater
