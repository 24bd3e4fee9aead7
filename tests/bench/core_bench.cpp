// Benchmarks of core's hot paths over traces of growing length: the cost of a frame must depend on pixels,
// not on events.

#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/analysis/allocator/caching_allocator.h"
#include "core/analysis/device/device_figures.h"
#include "core/figure/raster/band_raster.h"
#include "core/trace/event_pairing.h"
#include "core/trace/trace_builder.h"

namespace highwater {
namespace {

constexpr std::int64_t kLayers = 400;

/// Returns a training loop: each step allocates layer by layer and frees in reverse order; parameters stay.
std::shared_ptr<const Trace> trainingTrace(std::int64_t events)
{
    TraceBuilder builder;
    Address next = 0;
    const auto add = [&](Action action, Address address, Bytes size) {
        MemoryEvent event;
        event.action = action;
        event.address = address;
        event.size = size;
        event.stream = builder.stream(0);
        builder.addEvent(event);
    };
    for (std::int64_t i = 0; i < 1000; ++i)
        add(Action::Alloc, next++ * 512, 8 * kMiB);
    while (static_cast<std::int64_t>(builder.eventCount()) < events) {
        for (std::int64_t layer = 0; layer < kLayers; ++layer)
            add(Action::Alloc, (next + static_cast<Address>(layer)) * 512, (layer % 7 + 1) * kMiB);
        for (std::int64_t layer = kLayers; layer-- > 0;) {
            add(Action::FreeRequested, (next + static_cast<Address>(layer)) * 512, (layer % 7 + 1) * kMiB);
            add(Action::FreeCompleted, (next + static_cast<Address>(layer)) * 512, (layer % 7 + 1) * kMiB);
        }
    }
    builder.assignEvents(
        builder.device(DeviceKind::Cuda, 0), {{0, static_cast<std::uint32_t>(builder.eventCount())}});
    return builder.finish();
}

struct Prepared
{
    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    UsageCurve curve;
    LiveIndex live;
    EventScale scale;

    explicit Prepared(std::int64_t events)
        : trace(trainingTrace(events))
        , allocations(*trace, 0)
        , curve(*trace, allocations)
        , live(allocations)
        , scale(*trace, 0, AxisKind::Event)
    {
    }
};

Prepared& prepared(std::int64_t events)
{
    static std::vector<std::pair<std::int64_t, std::unique_ptr<Prepared>>> known;
    for (const auto& [count, value] : known)
        if (count == events)
            return *value;
    known.emplace_back(events, std::make_unique<Prepared>(events));
    return *known.back().second;
}

void pairing(benchmark::State& state)
{
    const Prepared& data = prepared(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(pairEvents(*data.trace, 0));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void figures(benchmark::State& state)
{
    const Prepared& data = prepared(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(deviceFigures(*data.trace, 0));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void frame(benchmark::State& state, double share)
{
    const Prepared& data = prepared(state.range(0));
    const double length = data.scale.end() * share;
    const double begin = (data.scale.end() - length) * 0.62;
    const ByteScale bytes{0, static_cast<double>(data.curve.peak().bytes) / 600};
    for (auto _ : state)
        benchmark::DoNotOptimize(rasterizeBands(
            data.live, pixelColumns(data.curve, data.scale, begin, begin + length, 1400), bytes, 600));
}

void stateAt(benchmark::State& state)
{
    const Prepared& data = prepared(state.range(0));
    std::vector<AllocationIndex> live;
    std::int64_t event = 0;
    for (auto _ : state) {
        event = (event * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFF;
        data.live.liveAt(event % data.scale.eventCount(), live);
        benchmark::DoNotOptimize(live.data());
    }
}

AllocatorSettings settingsOf(std::string_view configuration, bool isOldestSegmentFirst)
{
    AllocatorSettings settings;
    for (const std::string& option : splitOptions(configuration)) {
        const std::size_t colon = option.find(':');
        settings = withSetting(settings, option.substr(0, colon), option.substr(colon + 1)).value();
    }
    settings.isOldestSegmentFirst = isOldestSegmentFirst;
    return settings;
}

/// Plays a step of a training loop on the simulated allocator, after as many parameters as the argument says.
void step(benchmark::State& state, const AllocatorSettings& settings)
{
    const auto parameters = static_cast<AllocationIndex>(state.range(0));
    CachingAllocator allocator(settings, static_cast<std::size_t>(parameters) + kLayers);
    for (AllocationIndex i = 0; i < parameters; ++i)
        allocator.allocate(i, {8 * kMiB, StreamId(0u), {}});
    for (auto _ : state) {
        for (std::int64_t layer = 0; layer < kLayers; ++layer)
            allocator.allocate(
                parameters + static_cast<AllocationIndex>(layer), {(layer % 7 + 1) * kMiB, StreamId(0u), {}});
        for (std::int64_t layer = kLayers; layer-- > 0;)
            allocator.free(parameters + static_cast<AllocationIndex>(layer));
    }
    state.SetItemsProcessed(state.iterations() * kLayers * 2);
}

BENCHMARK_CAPTURE(step, lowest_address, settingsOf("", false))->Arg(1'000)->Arg(100'000);
BENCHMARK_CAPTURE(step, oldest_segment, settingsOf("", true))->Arg(1'000)->Arg(100'000);
BENCHMARK_CAPTURE(
    step, short_segments, settingsOf("expandable_segments:True,expandable_segments_reserve:0.25G", true))
    ->Arg(1'000)
    ->Arg(100'000);
BENCHMARK(pairing)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(figures)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, whole, 1.0)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, hundredth, 0.01)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(stateAt)->Arg(100'000)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace highwater
