#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater {

/// The part of a path that is the same on every machine: what follows `site-packages/`, `dist-packages/` or
/// `lib/python3.x/`, with forward slashes. Other paths come back whole.
std::string portablePath(std::string_view path);

/// The folder or file of the installed package that a Python file belongs to, the part after `site-packages`
/// or `dist-packages`; empty for other files.
std::string_view packageOf(std::string_view path);
/// Whether a file is of a package that only spells or checks the tensor operators of its caller: einops,
/// jaxtyping and their kin.
bool isSpellingFile(std::string_view path);

/// Which files of two runs are the same file: number of the class of each path, in the order given. Files
/// are the same when their portable paths are equal; else, one by one, those of one name whose folders agree
/// furthest from the end, as when a project was copied or its folder renamed. Exchanging the runs exchanges
/// the answer. O(files × files of one name), for a million such pairs; names beyond that are taken in order
/// of their paths.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> matchFiles(
    const std::vector<std::string>& before, const std::vector<std::string>& after);

} // namespace highwater
