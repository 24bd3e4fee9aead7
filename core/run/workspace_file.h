#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/run/category_rules.h"
#include "core/run/note.h"
#include "core/run/workspace_upgrade.h"

/// The workspace file (`.highwater`): what belongs together and how it was looked at, as JSON. It holds no
/// recordings, only where they are and what they were, so that it can be told whether they still are.
namespace highwater {

inline constexpr std::size_t kMostWorkspaceSources = 10'000;

/// A file that a workspace rests on: where it is, and how it is known again.
struct WorkspaceReference
{
    std::string path; ///< relative to the workspace's folder, with '/'; an absolute one is meant so
    std::string lastSeen; ///< absolute, where it was when the workspace was saved; empty: not known
    std::string sha256; ///< of its bytes as they are on the disk, 64 hexadecimal digits; empty: not known
    std::optional<std::uint64_t> bytes; ///< its size; none: not known

    bool operator==(const WorkspaceReference&) const = default;
};

/// One file of a run.
struct WorkspaceSource
{
    WorkspaceReference file;
    NoteRun role = NoteRun::After; ///< where there is one run alone it is the run after
    std::optional<std::int64_t> rank;
    bool isShown = false; ///< the file of its run that is on screen
    std::string device; ///< that was on screen, as Device::label(); empty: the one with the largest peak
    /// What the user has set as to be added to its times, of a file that stands beside the one on screen;
    /// none: what the clocks suggest.
    std::optional<Nanoseconds> offset;
    std::optional<Bytes> capacity; ///< chosen for it by the user
    std::string card; ///< whose capacity that is; empty: a size was chosen

    bool operator==(const WorkspaceSource&) const = default;
};

/// What tells the steps apart, where the user has asked for something else than the best source.
struct WorkspaceSteps
{
    std::string source; ///< as the command line names it: "frames"; empty: the best
    std::string pattern; ///< RE2
    std::vector<std::int64_t> markers; ///< first events of steps, ascending

    bool operator==(const WorkspaceSteps&) const = default;
};

struct WorkspaceReport
{
    std::string kind; ///< name of the template; empty: none has been chosen
    std::vector<std::string> parts; ///< their names in order; empty: those of the template
    std::string title;
    bool stripPaths = false;

    bool operator==(const WorkspaceReport&) const = default;
};

/// How it was looked at. Names are those of the command lines; one that the program does not know (any more)
/// leaves the view as it is. Everything may be missing.
struct WorkspaceView
{
    std::string open; ///< "steps", "moment", …
    std::optional<std::pair<std::int64_t, std::int64_t>> events; ///< in view: [first, last); none: all
    std::string axis; ///< "event", "time"
    std::string bands; ///< "allocations", "site", …
    std::string bytes; ///< "requested", "allocated"
    std::optional<std::int64_t> cursor; ///< event
    std::string compareAxis; ///< "step", "phase", "time", "event"
    std::string compareGroup; ///< "site", "stack", …

    bool operator==(const WorkspaceView&) const = default;
};

struct WorkspaceFile
{
    std::vector<WorkspaceSource> sources;
    std::optional<WorkspaceReference> configuration; ///< of the run, for its budget
    WorkspaceSteps steps;
    std::vector<CategoryRule> rules;
    Notes notes;
    WorkspaceReport report;
    WorkspaceView view;
    std::string savedAs; ///< of a copy that is kept by itself: the workspace that it stands for; else empty
    /// Members of the document that this version does not know, as the text of one JSON object, written again
    /// as they were; empty: none. Unknown members farther inside are left out with a warning.
    std::string rest;

    bool operator==(const WorkspaceFile&) const = default;
};

/// A workspace as it was read.
struct ReadWorkspace
{
    WorkspaceFile file;
    std::int64_t version = kWorkspaceVersion; ///< that it was written in
    std::vector<std::string> warnings; ///< what was left out, sentences
};

/// Whether the first bytes of a file are those of a workspace: an object whose first member says so, as
/// `workspaceToJson` writes it.
bool looksLikeWorkspace(std::string_view firstBytes);

/// Fails with Malformed and one sentence that names the member which is something else than it should be,
/// with the byte where the text is no JSON (Truncated where it only ends too early); with UnknownFormat where
/// it is JSON and no workspace; with Refused for one of a later version; with LimitExceeded beyond 64 MiB, 64
/// levels or 2,000,000 values. Numbers, lists and texts are checked, names of views and of groups are not.
/// O(bytes).
Result<ReadWorkspace> workspaceFromJson(std::string_view text);
/// In the current version; what stands at its default is not written. Texts that are no UTF-8 (paths can be)
/// are written with U+FFFD in place of what is not: such a file is found again by its hash alone.
std::string workspaceToJson(const WorkspaceFile& file);

} // namespace highwater
