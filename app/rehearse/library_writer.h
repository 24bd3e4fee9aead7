#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// A function of a written library.
struct WrittenFunction
{
    std::string name;
    std::string version; ///< version node it is found under; empty: the library's base version
    bool succeeds = false; ///< it computes something: returns 0; otherwise its first call is reported
    int error = 0; ///< what it returns if not
};

/// A shared library that has a name and version nodes, and functions that say that they do not exist.
struct WrittenLibrary
{
    std::string soname; ///< "libcudart.so.12"
    std::vector<std::string> versions; ///< nodes that others ask for, beside those of the symbols
    std::vector<WrittenFunction> symbols;
    std::vector<std::string> needed; ///< libraries that are loaded with it, by path or name
};

/// The library as the bytes of an ELF file for this machine. Functions that fail call `highwaterUnknownCall`,
/// which a needed library must have. Needs no compiler. Fails with BadRequest on a machine for which it
/// cannot write code.
Result<std::string> buildLibrary(const WrittenLibrary& library);

} // namespace highwater::rehearse
