#include "app/workspace/document/document.h"

#include "app/loading/run/run_assembly.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/steps/lanes.h"
#include "core/base/interruption.h"

namespace highwater::gui {

std::string Document::fileName() const
{
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::size_t Document::memoryBytes() const
{
    const Trace& contents = trace();
    std::size_t bytes = contents.events.memoryBytes() + contents.segments.blocks.memoryBytes()
        + contents.segments.segments.memoryBytes() + contents.strings.memoryBytes()
        + contents.stacks.memoryBytes() + contents.spans.size() * sizeof(Span);
    for (const EventPairing& pairing : contents.pairings)
        bytes += pairing.partner.memoryBytes();
    for (const std::shared_ptr<const DeviceAnalysis>& device : devices)
        bytes += device->allocations.memoryBytes() + device->curve.memoryBytes() + device->live.memoryBytes()
            + device->siteGroups->rankOf.size() * sizeof(GroupRank)
            + device->categories.size() * (sizeof(Category) + sizeof(Grade) + sizeof(GroupRank));
    return bytes;
}

RunSource sourceOf(const Document& document)
{
    RunSource source;
    source.file.path = document.path;
    source.file.format = toText(document.trace().metadata.kind);
    source.file.fileBytes = document.imported.fileBytes;
    source.file.trace = document.imported.trace;
    source.read = document.imported.file;
    if (document.imported.incomplete)
        source.file.cutOff = toText(*document.imported.incomplete);
    return source;
}

std::optional<Error> reasonNotToShow(const Document& document)
{
    if (document.mainDevice || recordedTime(document.trace()) || isLog(document.trace()))
        return std::nullopt;
    const ImportLogEntry* reason = document.trace().log.find("no-memory-events");
    return Error{ErrorCode::Malformed,
        reason ? reason->message : "has no GPU memory data: neither memory events nor segments",
        std::nullopt};
}

std::shared_ptr<const Document> buildDocument(const std::string& path, ImportedTrace imported)
{
    auto document = std::make_shared<Document>();
    document->path = path;
    document->imported = std::move(imported);
    const std::shared_ptr<const Trace>& trace = document->imported.trace;
    std::vector<DeviceFigures> figures;
    for (DeviceIndex device = 0; device < trace->devices.size(); ++device) {
        interruptionPoint();
        document->devices.push_back(std::make_shared<const DeviceAnalysis>(trace, device));
        figures.push_back(document->devices.back()->figures);
    }
    document->mainDevice = mainDevice(*trace, figures);
    interruptionPoint();
    return document;
}

} // namespace highwater::gui
