#pragma once

#include <string>
#include <string_view>

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

/// The user's own Python files are those outside of torch, the standard library and installed packages.
bool isOwnFile(std::string_view path);

} // namespace highwater
