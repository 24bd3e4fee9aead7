#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Finds the source file of a frame on this machine. Recordings are made elsewhere, so the recorded path
/// often does not exist here, while the project lies in a folder that the user knows.
namespace highwater {

/// Returns the number of components that two paths have in common, counted from the end: 2 for
/// "/workspace/grpo/model.py" and "/src/grpo/model.py". Both use '/'.
std::size_t commonTail(std::string_view left, std::string_view right);

/// Returns the file at or below `folder` whose path has the longest tail in common with the recorded path; of
/// several the one with the fewest folders. Returns nullopt if there is none, or more than one such file. A
/// file name alone is enough only for the user's own code, because installed packages have a "trainer.py"
/// too. Looks at no more than 50,000 entries and sixteen folders deep; follows no link to a folder and enters
/// no folder that is hidden or named __pycache__ or node_modules.
std::optional<std::string> findSourceBelow(const std::string& folder, std::string_view recordedPath);

/// Returns the recorded path if it is an absolute path of a regular file on this machine; otherwise the file
/// that `findSourceBelow` finds, if `folder` is not empty. Opens no file.
std::optional<std::string> findSourceFile(std::string_view recordedPath, const std::string& folder);

} // namespace highwater
