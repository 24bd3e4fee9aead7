#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/run/workspace_file.h"

namespace highwater {

/// The state of a file of a workspace.
enum class SourceState : std::uint8_t
{
    Found, ///< at a recorded place, unchanged
    Moved, ///< at another place, recognized by size and hash
    Changed, ///< another file is at a recorded place; to be used only if the user says so
    Missing
};

/// The place where a file of a workspace was found.
struct ResolvedSource
{
    SourceState state = SourceState::Missing;
    std::string path; ///< absolute; for Missing, the first place that was searched, or empty

    /// True if the file can be opened without asking the user.
    bool isUsable() const { return state == SourceState::Found || state == SourceState::Moved; }
    bool operator==(const ResolvedSource&) const = default;
};

/// Returns a phrase to be appended to the source's name: "was found at …", "is not the saved file (512 MiB
/// instead of 1 GiB)", "is neither at its old place nor near the workspace". Empty for Found.
std::string stateText(const WorkspaceReference& reference, const ResolvedSource& resolved);

class FileHashes;

struct ResolveOptions
{
    /// Folders that are searched for missing files, besides the workspace's own.
    std::vector<std::string> folders;
    ProgressSink* progress = nullptr; ///< counts hashed bytes
    StopToken stop;
    FileHashes* hashes = nullptr; ///< known hashes; may be null
};

/// Finds the files that a workspace in `workspaceFolder` refers to. The result is parallel to `references`.
///
/// A file is searched for at its relative path, then where it was last seen. A file there is the right one if
/// size and hash agree; if one of them is unknown, the other is enough. If it is in neither place, and size
/// and hash are known, all files of its size in the workspace's folder and in the folders of the options are
/// hashed. The search is two folders deep, stops after 10,000 names in all, and does not follow links to
/// folders. Only regular files are opened; nothing is guessed from names. Fails only with Cancelled. O(bytes
/// of the hashed files).
Result<std::vector<ResolvedSource>> resolveReferences(const std::vector<WorkspaceReference>& references,
    const std::string& workspaceFolder, const ResolveOptions& options);

/// A workspace and the state of its files.
struct OpenedWorkspace
{
    ParsedWorkspace read;
    std::vector<ResolvedSource> sources; ///< parallel to WorkspaceFile::sources
    std::optional<ResolvedSource> configuration;
};

/// True if the file is a workspace: by its first bytes, or by the extension `.highwater`, so that a broken
/// one gets a proper error.
bool isWorkspaceFile(const std::string& path);

/// Reads the file of a workspace, but does not look for the files that it names. Fails with CannotRead, with
/// LimitExceeded above 64 MiB, or as `workspaceFromJson` does.
Result<ParsedWorkspace> readWorkspace(const std::string& path);
/// Reads a workspace and finds its files; missing and changed files are not errors. Fails as `readWorkspace`
/// does, and with Cancelled.
Result<OpenedWorkspace> openWorkspace(const std::string& path, const ResolveOptions& options);

/// Saves the workspace in one step (`AtomicFile`). Paths of files with a known last place become relative
/// to the folder of `path`. Fails with CannotRead and the reason, or with LimitExceeded if the file would
/// be too large to be read again.
Result<void> saveWorkspace(const std::string& path, WorkspaceFile file);

/// Sets the sizes and hashes of the files at their last known places. Files that cannot be read keep the
/// old values. Fails only with Cancelled. O(bytes that have not been hashed yet).
Result<void> addHashes(
    WorkspaceFile& file, FileHashes& hashes, ProgressSink* progress = nullptr, const StopToken& stop = {});

/// Returns a reference to a file for a workspace, without its hash: its absolute path and its size.
WorkspaceReference referenceTo(const std::string& path);

} // namespace highwater
