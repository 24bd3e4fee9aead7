#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// A function of a written library.
struct WrittenFunction
{
    std::string name;
    std::string version; ///< its version node; empty for the library's base version
    bool succeeds = false; ///< does nothing and returns 0; otherwise its first call is reported
    int error = 0; ///< returned if it does not succeed
};

/// A shared library to be written, with functions that do nothing: each succeeds, or reports that it is not
/// simulated and fails.
struct WrittenLibrary
{
    std::string soname; ///< "libcudart.so.12"
    /// Version nodes that other libraries request, besides the versions of the symbols.
    std::vector<std::string> versions;
    std::vector<WrittenFunction> symbols;
    std::vector<std::string> needed; ///< libraries to load with it, by path or name
};

/// Returns the library as the bytes of an ELF file for this machine. Functions that fail call
/// `highwaterUnknownCall`, which a needed library must define. Needs no compiler. Fails with BadRequest if
/// the processor is not supported: only x86-64 is.
Result<std::string> buildLibrary(const WrittenLibrary& library);

} // namespace highwater::rehearse
