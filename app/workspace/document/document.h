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
    std::vector<std::shared_ptr<const DeviceAnalysis>> devices; ///< as `Trace::devices`
    std::optional<DeviceIndex> mainDevice; ///< the one shown first; none where the file has no device

    const Trace& trace() const { return *imported.trace; }
    /// The path without its folders.
    std::string fileName() const;
    /// What its tables take, as far as they grow with the file.
    std::size_t memoryBytes() const;
};

/// As a file of a run; whether it is a rank is not known.
RunSource sourceOf(const Document& document);

/// Why it cannot be shown although it was read; none: it can.
std::optional<Error> reasonNotToShow(const Document& document);

/// Works out the analyses of every device; may be interrupted.
std::shared_ptr<const Document> buildDocument(const std::string& path, ImportedTrace imported);

} // namespace highwater::gui
