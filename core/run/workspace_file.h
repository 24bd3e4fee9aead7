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

/// The workspace file (`.highwater`): the files that belong together and how they were viewed, as JSON. It
/// contains no recordings, only their paths and hashes, so that changed files are detected.
namespace highwater {

inline constexpr std::size_t kMaxWorkspaceSources = 10'000;

/// A file of a workspace: its path, and how to recognise it.
struct WorkspaceReference
{
    std::string path; ///< Relative to the workspace's folder, with '/'; or absolute
    std::string lastSeen; ///< Absolute path when the workspace was saved; empty if unknown
    std::string sha256; ///< Hash of the bytes on disk, 64 hexadecimal digits; empty if unknown
    std::optional<std::uint64_t> bytes; ///< Size; nullopt if unknown

    bool operator==(const WorkspaceReference&) const = default;
};

/// One file of a run.
struct WorkspaceSource
{
    WorkspaceReference file;
    NoteRun role = NoteRun::After; ///< A single run is `After`
    std::optional<std::int64_t> rank;
    bool isShown = false; ///< The file of its run that is on screen
    std::string device; ///< On screen, as in Device::label(); empty for the one with the largest peak
    /// Offset set by the user for the times of an auxiliary file; nullopt for the one that the clocks
    /// suggest.
    std::optional<Nanoseconds> offset;
    std::optional<Bytes> capacity; ///< The GPU's memory, as chosen by the user
    std::string gpu; ///< The GPU with this capacity; empty if a size was chosen

    bool operator==(const WorkspaceSource&) const = default;
};

/// How steps are detected, if the user chose another way than the best available one.
struct WorkspaceSteps
{
    std::string source; ///< As on the command line: "frames"; empty for the best
    std::string pattern; ///< RE2
    std::vector<std::int64_t> markers; ///< First events of steps, ascending

    bool operator==(const WorkspaceSteps&) const = default;
};

/// The choices for the report.
struct WorkspaceReport
{
    std::string kind; ///< Name of the template; empty if none was chosen
    std::vector<std::string> parts; ///< Their names, in order; empty for those of the template
    std::string title;
    bool stripPaths = false;

    bool operator==(const WorkspaceReport&) const = default;
};

/// The state of the views. Names are those of the command line; an unknown name leaves the view unchanged.
/// Everything is optional.
struct WorkspaceView
{
    std::string open; ///< "steps", "moment", …
    std::optional<std::pair<std::int64_t, std::int64_t>> events; ///< Visible [first, last); nullopt for all
    std::string axis; ///< "event", "time", "step"
    std::string bands; ///< "allocations", "site", …
    std::string bytes; ///< "requested", "allocated"
    std::optional<std::int64_t> cursor; ///< Right after this event; −1 is before the first
    std::string compareAxis; ///< "step", "phase", "time", "event"
    std::string compareGroup; ///< "site", "stack", …
    /// The compared events (before, after) of one run, each as `cursor`; nullopt if it is not compared with
    /// itself.
    std::optional<std::pair<std::int64_t, std::int64_t>> comparedEvents;

    bool operator==(const WorkspaceView&) const = default;
};

/// The content of a workspace file. A plain value; paths are not checked to exist.
struct WorkspaceFile
{
    std::vector<WorkspaceSource> sources;
    std::optional<WorkspaceReference> configuration; ///< Configuration of the run, for its budget
    WorkspaceSteps steps;
    std::vector<CategoryRule> rules;
    Notes notes;
    WorkspaceReport report;
    WorkspaceView view;
    std::string savedAs; ///< For an autosaved copy, the workspace it belongs to; else empty
    /// Members of the document that are unknown to this version, as the text of one JSON object; may be
    /// empty. They are written back unchanged. Unknown members at deeper levels are dropped with a warning.
    std::string rest;

    bool operator==(const WorkspaceFile&) const = default;
};

/// A workspace that was read, with warnings.
struct ParsedWorkspace
{
    WorkspaceFile file;
    std::int64_t version = kWorkspaceVersion; ///< Version in which it was written
    std::vector<std::string> warnings; ///< Sentences on what was left out
};

/// True if a file with these first bytes is a workspace: an object whose first member identifies it, as
/// `workspaceToJson` writes it.
bool looksLikeWorkspace(std::string_view firstBytes);

/// Parses a workspace. Fails with Malformed and a message that names the invalid member, with UnknownFormat
/// for JSON that is not a workspace, with Refused for a later version, and as `parseJsonDocument` does.
/// Numbers, lists and texts are checked; names of views and groups are not. O(bytes).
Result<ParsedWorkspace> workspaceFromJson(std::string_view text);
/// Writes the current version; members with default values are omitted. Invalid UTF-8, which paths may
/// contain, is replaced by U+FFFD: such a file can be found again only by its hash.
std::string workspaceToJson(const WorkspaceFile& file);

} // namespace highwater
