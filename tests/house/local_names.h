#pragma once

#include <string>
#include <vector>

namespace highwater::test {

/// A name that only one source file knows, because it is static or in an anonymous namespace.
struct LocalName
{
    std::string name;
    std::string room; ///< the first three parts of the file's path; files of a room may be compiled together
    std::string file;
    std::string line; ///< the line that declares it
};

/// Returns the local names of a source with our formatting, in which declarations begin at the start of a
/// line. A name that the file declares several times counts once. O(bytes).
std::vector<LocalName> localNamesOf(const std::string& file, const std::string& text);

/// Returns a sentence for each name that several files of a room have. Ignores aliases that are the same
/// everywhere.
std::vector<std::string> clashesIn(std::vector<LocalName> names);

} // namespace highwater::test
