#pragma once

#include <string>
#include <vector>

namespace highwater::test {

/// One #include line: both paths are from the top of the tree.
struct Include
{
    std::string from;
    std::string to;
};

/// What an #include line names; empty for other lines.
std::string includedBy(const std::string& line);

/// The includes of one file, those of the system and of libraries among them. O(bytes).
std::vector<Include> includesOf(const std::string& name, const std::string& text);

/// Circles of files, a header and the source of the same name taken as one. For each set of files that all
/// lead to each other: a shortest way round, and the includes that make it. O(includes × files that lead to
/// circles).
std::vector<std::string> circlesOfFiles(const std::vector<Include>& includes);

/// The same for folders; each folder counts separately from those below it.
std::vector<std::string> cyclesOfFolders(const std::vector<Include>& includes);

} // namespace highwater::test
