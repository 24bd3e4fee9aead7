#pragma once

#include <string>
#include <string_view>

namespace highwater {

/// Returns the part of a path that does not depend on the machine, with forward slashes: the part after
/// `site-packages/` or `dist-packages/`, or "python3/…" for the part after `lib/python3.x/`, else the whole
/// path.
std::string portablePath(std::string_view path);

/// Returns the name of the installed package that a Python file belongs to: the folder or file after
/// `site-packages` or `dist-packages`. Empty for other files.
std::string_view packageName(std::string_view path);
/// True if a file belongs to a package that only wraps or checks its caller's tensor operators, such as
/// einops and jaxtyping.
bool isOperatorWrapperFile(std::string_view path);

/// True for the user's own Python files: those outside torch, the standard library and installed packages.
bool isOwnFile(std::string_view path);

} // namespace highwater
