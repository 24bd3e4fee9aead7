#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater {

/// The part of a path that does not depend on the machine: what follows `site-packages/`, `dist-packages/` or
/// `lib/python3.x/`, with forward slashes. Other paths are returned unchanged.
std::string portablePath(std::string_view path);

/// The folder or file of the installed package that a Python file belongs to, the part after `site-packages`
/// or `dist-packages`; empty for other files.
std::string_view packageOf(std::string_view path);
/// Whether a file belongs to a package that only wraps or checks the tensor operators of its caller: einops,
/// jaxtyping and similar ones.
bool isSpellingFile(std::string_view path);

/// Which files of two runs are the same file: number of the class of each path, in the order given. Files are
/// the same when their portable paths are equal; else files of one name are paired one by one, longest common
/// path suffix first, as after a project was copied or its folder renamed. Exchanging the runs exchanges the
/// result. O(files × files of one name) for up to a million such pairs; names beyond that are paired in order
/// of their paths.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> matchFiles(
    const std::vector<std::string>& before, const std::vector<std::string>& after);

} // namespace highwater
