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
    Found, ///< where it is looked for, and the same
    Moved, ///< somewhere else, recognised by size and hash
    Changed, ///< there is another file where it is looked for: to be used only when the user says so
    Missing
};

struct ResolvedSource
{
    SourceState state = SourceState::Missing;
    std::string path; ///< absolute; of Missing: where it was looked for first

    bool operator==(const ResolvedSource&) const = default;
};

/// "was found at …", "is another file than the one that was saved (512 MiB instead of 1 GiB)", "is not where
/// it was, nor near the workspace"; to be appended to the source's name. Empty for Found.
std::string stateText(const WorkspaceReference& reference, const ResolvedSource& resolved);

class FileHashes;

struct ResolveOptions
{
    /// Searched for what is missing, besides the workspace's own folder.
    std::vector<std::string> folders;
    ProgressSink* progress = nullptr; ///< counts bytes that are hashed
    StopToken stop;
    FileHashes* hashes = nullptr; ///< what is known already; null: nothing
};

/// Finds the files that a workspace in `workspaceFolder` rests on; the result is parallel to `references`.
///
/// A file is looked for at its relative path, then where it was last seen. It is the same when size and hash
/// are (size alone where no hash is known). Where it is in neither place, files of its size in the
/// workspace's folder and in those of the options are hashed: two folders deep, 10,000 names at most, no
/// links to folders followed. Only regular files are opened; nothing is guessed from names. Fails with
/// Cancelled alone. O(bytes of the files that are hashed).
Result<std::vector<ResolvedSource>> resolveReferences(const std::vector<WorkspaceReference>& references,
    const std::string& workspaceFolder, const ResolveOptions& options);

/// A workspace and what has become of its files.
struct OpenedWorkspace
{
    ReadWorkspace read;
    std::vector<ResolvedSource> sources; ///< parallel to WorkspaceFile::sources
    std::optional<ResolvedSource> configuration;
};

/// Whether the file is a workspace: by its first bytes, or by the extension `.highwater`, so that a broken
/// one gets a proper error.
bool isWorkspaceFile(const std::string& path);

/// Fails with CannotRead, or as `workspaceFromJson` does. Missing and changed files are no failure.
Result<ReadWorkspace> readWorkspace(const std::string& path);
Result<OpenedWorkspace> openWorkspace(const std::string& path, const ResolveOptions& options);

/// Replaces the file in one step (AtomicFile). Paths become relative to the folder of `path` where the file
/// was last seen somewhere. Fails with CannotRead and a sentence that says why, with LimitExceeded where it
/// could not be read again.
Result<void> saveWorkspace(const std::string& path, WorkspaceFile file);

/// Fills in the sizes and hashes of the files where they were last seen. Those that cannot be read keep what
/// they have. Fails with Cancelled alone. O(bytes that have not been hashed yet).
Result<void> addHashes(
    WorkspaceFile& file, FileHashes& hashes, ProgressSink* progress = nullptr, const StopToken& stop = {});

/// What identifies a file for a workspace, without its hash: its absolute path and its size.
WorkspaceReference referenceTo(const std::string& path);

} // namespace highwater
