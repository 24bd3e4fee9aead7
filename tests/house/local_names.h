#pragma once

#include <string>
#include <vector>

namespace highwater::test {

/// A name that only one source file knows: of an anonymous namespace or static.
struct LocalName
{
    std::string name;
    std::string room; ///< the first three parts of the file's path: such files may be compiled together
    std::string file;
    std::string line; ///< that declares it
};

/// The local names of a source that is formatted as ours are, where declarations begin at a line's begin. A
/// name that is declared several times in the file counts once. O(bytes).
std::vector<LocalName> localNamesOf(const std::string& file, const std::string& text);

/// A sentence for each name that several files of a room have. Aliases that are the same everywhere are left
/// out.
std::vector<std::string> clashesIn(std::vector<LocalName> names);

} // namespace highwater::test
