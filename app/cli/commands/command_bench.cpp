#include "app/cli/commands/commands.h"

#include <chrono>
#include <cstring>
#include <filesystem>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/loading/device_choice.h"
#include "core/base/interruption.h"
#include "core/base/json.h"
#include "core/base/memory_limit.h"
#include "core/base/text_format.h"
#include "core/figure/raster/band_raster.h"
#include "core/table/cells.h"
#include "core/table/sinks/aligned_text.h"
#include "core/trace/event_pairing.h"
#include "importers/source/file_source.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// The plot area of a window of 1600×900.
constexpr int kPlotWidth = 1400;
constexpr int kPlotHeight = 600;
constexpr int kRepeats = 20;

/// The time that each stage took, in the order of the stages.
class Stages
{
public:
    /// Runs the stage and records its time in seconds.
    template <typename Work>
    auto time(const std::string& name, Work work)
    {
        const auto begin = std::chrono::steady_clock::now();
        // A destructor records the time, since `work` may return nothing.
        struct Note
        {
            Stages& stages;
            const std::string& name;
            std::chrono::steady_clock::time_point begin;
            ~Note()
            {
                stages.m_seconds.emplace_back(
                    name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            }
        } note{*this, name, begin};
        return work();
    }
    std::vector<std::pair<std::string, double>>& seconds() { return m_seconds; }

private:
    std::vector<std::pair<std::string, double>> m_seconds;
};

/// Reads a file to its end, or to an error, and returns the number of bytes; returns 0 for a pipe, which can
/// be read only once.
std::uint64_t readWhole(const std::string& path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return 0;
    Result<std::unique_ptr<ByteSource>> file = openFile(path);
    std::vector<std::byte> piece(std::size_t{256} << 10);
    std::uint64_t bytes = 0;
    while (file) {
        const Result<std::size_t> got = (*file)->read(piece);
        interruptionPoint();
        if (!got || *got == 0)
            break;
        bytes += *got;
    }
    return bytes;
}

/// Times all work between a loaded trace and its picture.
void timeAnalyses(const Trace& trace, DeviceIndex device, Stages& stages)
{
    stages.time("pair", [&] { return pairEvents(trace, device); });
    const AllocationTable allocations = stages.time("build", [&] { return AllocationTable(trace, device); });
    const UsageCurve curve = stages.time("curve", [&] { return UsageCurve(trace, allocations); });
    const LiveIndex live = stages.time("live_index", [&] { return LiveIndex(allocations); });
    const EventScale scale(trace, device, AxisKind::Event);
    const ByteScale bytes{0, std::max(1.0, static_cast<double>(curve.peak().bytes) / kPlotHeight)};
    stages.time("layout_frame", [&] {
        for (int i = 0; i < kRepeats; ++i) {
            interruptionPoint();
            rasterizeBands(
                live, pixelColumns(curve, scale, scale.begin(), scale.end(), kPlotWidth), bytes, kPlotHeight);
        }
    });
    stages.seconds().back().second /= kRepeats;
    std::vector<AllocationIndex> liveAllocations;
    stages.time("state_at", [&] {
        for (std::int64_t i = 0; i < kRepeats; ++i)
            live.liveAt(scale.eventCount() * i / kRepeats, liveAllocations);
    });
    stages.seconds().back().second /= kRepeats;
}

} // namespace

int runBench(const CommonOptions& options)
{
    const std::string& path = options.files.front();
    Stages stages;
    const std::uint64_t bytes = stages.time("read", [&] { return readWhole(path); });
    const LoadedInput input = stages.time("decode", [&] { return loadInput(path, options); });
    if (!input.imported)
        return exitCodeOf(input);
    const Trace& trace = *input.imported->trace;
    const std::vector<DeviceFigures> figures = stages.time("figures", [&] { return allFigures(trace); });
    const Result<DeviceIndex> device = chooseDevice(trace, figures, std::nullopt);
    if (device)
        timeAnalyses(trace, *device, stages);
    Json document = {{"path", path}, {"bytes", bytes}, {"events", device ? trace.eventCount(*device) : 0}};
    Table table{"bench", {}, {{"Stage", "stage"}, {"Takes", "takes", true}}};
    for (const auto& [name, seconds] : stages.seconds()) {
        document[name] = seconds;
        table.rows.push_back({name, formatDuration(static_cast<Nanoseconds>(seconds * 1e9))});
    }
    document["peak_rss_bytes"] = peakResidentBytes();
    table.rows.push_back({"peak memory", bytesCell(peakResidentBytes())});
    if (options.json)
        printDocument(document);
    else
        printOut("{}  {}, {} events\n{}", sanitizedText(path), formatBytes(static_cast<Bytes>(bytes)),
            formatCount(document["events"].get<std::int64_t>()), alignedText(table));
    return exitCodeOf(input);
}

} // namespace highwater::cli
