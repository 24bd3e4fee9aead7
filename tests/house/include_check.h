#pragma once

#include <string>
#include <vector>

namespace highwater::test {

/// Returns the faults of one source file: includes against the order of the rooms, Qt where it is forbidden,
/// threads outside their folders, hash tables of numbers without our hash, colours that do not follow the
/// theme, more than 400 lines. `name` is its path inside the project.
std::vector<std::string> findingsOf(const std::string& name, const std::string& text);

} // namespace highwater::test
