#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace highwater {

/// The version of the workspace file that is written; older ones are upgraded when read.
inline constexpr std::int64_t kWorkspaceVersion = 2;

/// Converts a workspace document from an older version to the current one. A table has one function for
/// each step from one version to the next; they run in order. A step fails with Malformed and a sentence if
/// the document does not have the form of its version.
///
/// Version 1, the first format:
///
///     {"format": "highwater-workspace", "version": 1,
///      "before": [{"path": "a.pickle", "sha256": "…", "bytes": 1}], "after": [… the same …],
///      "offsets_s": {"train.log": -3600.5},      seconds, by file name
///      "notes": […], "view": "steps"}
///
/// Version 2 has one list of "sources", each with its role and its offset in nanoseconds, and "view" is
/// an object. `version` must be between 1 and the current one. O(bytes).
Result<nlohmann::json> upgradedWorkspace(nlohmann::json document, std::int64_t version);

} // namespace highwater
