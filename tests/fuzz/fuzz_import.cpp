#include <cstdint>
#include <memory>
#include <string_view>

#include "core/analysis/composition/composition.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/usage_curve.h"
#include "importers/registry/open_trace.h"
#include "importers/source/peekable_source.h"

/// Any bytes: they import, or are refused, and whatever was imported can be looked at.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace highwater;
    ImportOptions options;
    options.maxMemoryBytes = std::uint64_t{256} << 20;
    options.maxInflateBytes = std::uint64_t{16} << 20;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const Result<ImportedTrace> imported = importTrace(std::make_unique<MemorySource>(bytes), options);
    if (!imported)
        return 0;
    const Trace& trace = *imported->trace;
    for (DeviceIndex device = 0; device < trace.devices.size() && device < 4; ++device) {
        const DeviceFigures figures = deviceFigures(trace, device);
        const AllocationTable allocations(trace, device);
        const UsageCurve curve(trace, allocations);
        const CallSites sites(trace, allocations);
        const Composition composition
            = compositionAt(trace, allocations, sites, figures.peakEvent, GroupKey::Stack);
        if (curve.peak().bytes != figures.peakBytes || composition.bytes != figures.peakBytes)
            __builtin_trap();
    }
    return 0;
}
