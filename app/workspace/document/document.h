#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workspace/document/device_analysis.h"
#include "importers/importer.h"

namespace highwater {
struct RunSource;
}

namespace highwater::gui {

/// One opened file, complete with its analyses: made on a worker thread, shared read-only afterwards.
struct Document
{
    std::string path;
    ImportedTrace imported;
    std::vector<std::shared_ptr<const DeviceAnalysis>> devices; ///< parallel to `Trace::devices`
    std::optional<DeviceIndex> mainDevice; ///< the device shown first; nullopt if the file has none

    const Trace& trace() const { return *imported.trace; }
    /// Last component of the path.
    std::string fileName() const;
    /// Returns the memory of the tables that grow with the file.
    std::size_t memoryBytes() const;
};

/// Returns the document as a file of a run; `RunSource::rank` is not filled in.
RunSource sourceOf(const Document& document);

/// Returns why a document that was read cannot be shown; nullopt if it can.
std::optional<Error> reasonNotToShow(const Document& document);

/// Analyses every device; may be interrupted.
std::shared_ptr<const Document> buildDocument(const std::string& path, ImportedTrace imported);

} // namespace highwater::gui
