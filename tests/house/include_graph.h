#pragma once

#include <string>
#include <vector>

namespace highwater::test {

/// An #include line; both paths start at the top of the tree.
struct Include
{
    std::string from;
    std::string to;
};

/// Returns the file that an #include line names; empty for other lines.
std::string includedBy(const std::string& line);

/// Returns all includes of one file, including system and library headers. O(bytes).
std::vector<Include> includesOf(const std::string& name, const std::string& text);

/// Finds circles of files, where a header and the source with its name count as one. For each set of files
/// that all reach each other, returns a shortest circle and the includes that form it. O(includes × files
/// that lead to circles).
std::vector<std::string> circlesOfFiles(const std::vector<Include>& includes);

/// Does the same for folders; each folder counts separately from its subfolders.
std::vector<std::string> cyclesOfFolders(const std::vector<Include>& includes);

} // namespace highwater::test
