#pragma once

#include <string>
#include <vector>

namespace highwater::test {

/// What is wrong with one source file: includes against the order of the rooms, Qt where none may be,
/// threads outside of their folders, hash tables of numbers without their hash, more than 400 lines. `name`
/// is its path inside the project.
std::vector<std::string> findingsOf(const std::string& name, const std::string& text);

} // namespace highwater::test
