#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

#include "core/analysis/allocator/allocator_settings.h"
#include "core/analysis/budget/budget.h"
#include "core/analysis/categories/allocation_filter.h"
#include "core/analysis/composition/composition.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/run/category_rules.h"
#include "core/run/configuration.h"
#include "core/run/gpu_models.h"
#include "core/run/note_json.h"
#include "core/run/run_shape.h"
#include "core/run/vocabularies.h"
#include "core/run/workspace_file.h"
#include "core/study/run_study.h"
#include "importers/cupti_text/cupti_text_importer.h"
#include "importers/kineto/kineto_importer.h"
#include "importers/log/log_importer.h"
#include "importers/memory_timeline/memory_timeline_importer.h"
#include "importers/native/native_reader.h"
#include "importers/nsys/nsys_importer.h"
#include "importers/pytorch_snapshot/snapshot_importer.h"
#include "importers/registry/open_trace.h"
#include "importers/source/compressed_source.h"
#include "importers/source/peekable_source.h"
#include "importers/summary/summary_importer.h"
#include "importers/summary/summary_reader.h"
#include "importers/tensorboard/tensorboard_importer.h"
#include "importers/wandb/wandb_importer.h"

namespace highwater::fuzz {

namespace {

constexpr std::uint64_t kMaxMemory = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxInflated = std::uint64_t{16} << 20;
constexpr DeviceIndex kMaxDevices = 4;

using Import = Result<ImportedTrace> (*)(std::unique_ptr<ByteSource>, const ImportOptions&);

ImportOptions limited()
{
    ImportOptions options;
    options.maxMemoryBytes = kMaxMemory;
    options.maxInflateBytes = kMaxInflated;
    options.activities = true;
    return options;
}

void mustHold(bool condition)
{
    if (!condition)
        std::abort();
}

/// Visits everything that was imported, and checks that its figures agree.
void lookAt(const Result<ImportedTrace>& imported)
{
    if (!imported)
        return;
    const Trace& trace = *imported->trace;
    for (DeviceIndex device = 0; device < trace.devices.size() && device < kMaxDevices; ++device) {
        const DeviceFigures figures = deviceFigures(trace, device);
        const AllocationTable allocations(trace, device);
        const UsageCurve curve(trace, allocations);
        const CallSites sites(trace, allocations);
        const Composition composition
            = compositionAt(trace, allocations, sites, figures.peakEvent, GroupKey::Stack);
        mustHold(curve.peak().bytes == figures.peakBytes && composition.bytes == figures.peakBytes);
    }
}

/// Goes as far as commands and views: uses the file's values as indices, and iterates over its steps.
void lookInto(const Result<ImportedTrace>& imported)
{
    lookAt(imported);
    if (!imported)
        return;
    for (DeviceIndex i = 0; i < imported->trace->devices.size() && i < kMaxDevices; ++i) {
        RunParts parts;
        parts.trace = imported->trace;
        parts.device = std::make_shared<const DeviceStudy>(*parts.trace, i);
        std::int64_t end = 0;
        for (const Step& step : parts.device->steps.steps) {
            mustHold(step.begin == end && step.begin < step.end && step.peakEvent < step.end);
            end = step.end;
        }
        mustHold(end == parts.device->curve.eventCount());
        RunStudy(std::move(parts)).findings();
    }
}

/// Reads the bytes in any format, compressed or not, as files are opened.
void readAnyFile(std::string_view bytes)
{
    lookAt(importTrace(std::make_unique<MemorySource>(bytes), limited()));
}

/// Reads the bytes as one format, no matter what the others would do with them.
template <auto sniff, Import import>
void readAs(std::string_view bytes)
{
    if (sniff(bytes))
        lookAt(import(std::make_unique<MemorySource>(bytes), limited()));
}

template <auto sniff, Import import>
void readOwn(std::string_view bytes)
{
    if (sniff(bytes))
        lookInto(import(std::make_unique<MemorySource>(bytes), limited()));
}

template <SnapshotContainer container>
void readSnapshot(std::string_view bytes)
{
    if (sniffSnapshot(bytes) == container)
        lookAt(importSnapshot(container, std::make_unique<MemorySource>(bytes), limited()));
}

/// A damaged stream gives an error. The output never exceeds the limit.
void inflate(const char* compression, std::string_view bytes)
{
    const std::unique_ptr<ByteSource> source
        = decompress(compression, std::make_unique<MemorySource>(bytes), kMaxInflated);
    std::array<std::byte, 1 << 15> room{};
    std::uint64_t all = 0;
    while (true) {
        const Result<std::size_t> got = source->read(room);
        if (!got || *got == 0)
            break;
        all += *got;
        mustHold(all <= kMaxInflated);
    }
}

AllocatorSettings settingsFrom(std::string_view text)
{
    AllocatorSettings settings;
    for (const std::string& option : splitOptions(text)) {
        const std::size_t colon = std::min(option.find(':'), option.size());
        const auto changed = withSetting(
            settings, option.substr(0, colon), option.substr(std::min(colon + 1, option.size())));
        if (changed)
            settings = *changed;
    }
    return settings;
}

/// Checks that settings are the same after they are written and read again.
void readAllocatorSettings(std::string_view text)
{
    const AllocatorSettings settings = settingsFrom(text);
    const std::string written = configurationText(settings);
    // Sizes of segments bound other sizes, in whatever order they come.
    const bool isPlain = settings.largeSegment == AllocatorSettings::kDefaultLargeSegment;
    mustHold(!isPlain || configurationText(settingsFrom(written)) == written);
    for (const Bytes memory : {Bytes{0}, 80 * kGiB})
        mustHold(settings.segmentReserveOn(memory) >= 0);
}

/// Turns a configuration into a run and its budget.
void readConfiguration(std::string_view text)
{
    const Result<std::vector<ConfigurationEntry>> entries = parseConfiguration(text);
    if (!entries)
        return;
    const Result<ModelShape> model = parseModelShape(*entries);
    const Result<RunShape> run = parseRunShape(*entries, model.value_or(ModelShape{}));
    if (run)
        expectedBudget(*run);
}

/// Checks that the workspace is the same after it is written and read again.
void readWorkspaceFile(std::string_view text)
{
    const Result<ParsedWorkspace> read = workspaceFromJson(text);
    if (!read)
        return;
    const std::string written = workspaceToJson(read->file);
    const Result<ParsedWorkspace> again = workspaceFromJson(written);
    mustHold(again && workspaceToJson(again->file) == written);
}

/// Reads a log with the text as patterns.
void readPatterns(std::string_view text)
{
    ImportOptions options;
    options.logPatterns = text;
    [[maybe_unused]] const Result<ImportedTrace> imported = importTrace(
        std::make_unique<MemorySource>("step 5 | memory allocated: 3.5 GiB | loss 1.25\n"), options);
}

/// Reads tables that the user can replace.
void readTables(std::string_view text)
{
    [[maybe_unused]] const auto gpus = parseGpuModels(text);
    [[maybe_unused]] const auto vocabularies = parseVocabularies(text);
}

constexpr std::array kTargets{
    Target{"allocator-settings", readAllocatorSettings},
    Target{"any-file", readAnyFile},
    Target{"configuration", readConfiguration},
    Target{"cupti", readAs<sniffCuptiText, importCuptiText>},
    Target{"gzip", [](std::string_view bytes) { inflate("gzip", bytes); }},
    Target{"kineto", readAs<sniffKineto, importKineto>},
    Target{"log", readAs<sniffLog, importLog>},
    Target{"memory-timeline", readAs<sniffMemoryTimeline, importMemoryTimeline>},
    Target{"native", readOwn<sniffNative, importNative>, true},
    Target{"notes",
        [](std::string_view text) { [[maybe_unused]] const Result<ParsedNotes> notes = parseNotes(text); }},
    Target{"nsys", readAs<sniffNsys, importNsys>},
    Target{"patterns", readPatterns},
    Target{
        "rules", [](std::string_view text) { [[maybe_unused]] const auto rules = parseCategoryRules(text); }},
    Target{"search",
        [](std::string_view text) { [[maybe_unused]] const auto filter = parseFilter(std::string(text)); }},
    Target{"snapshot-html", readSnapshot<SnapshotContainer::HtmlPage>},
    Target{"snapshot-json", readSnapshot<SnapshotContainer::Json>},
    Target{"snapshot-pickle", readSnapshot<SnapshotContainer::Pickle>},
    Target{"summary", readOwn<sniffSummary, importSummary>, true},
    Target{"tables", readTables},
    Target{"tensorboard", readAs<sniffTensorBoard, importTensorBoard>},
    Target{"wandb", readAs<sniffWandb, importWandb>},
    Target{"workspace", readWorkspaceFile},
    Target{"zstd", [](std::string_view bytes) { inflate("zstd", bytes); }},
};

} // namespace

std::span<const Target> targets()
{
    return kTargets;
}

} // namespace highwater::fuzz
