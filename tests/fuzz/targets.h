#pragma once

#include <span>
#include <string_view>

namespace highwater::fuzz {

/// A function that reads untrusted bytes. It accepts any bytes, or refuses them with a message; a violated
/// promise ends the program.
struct Target
{
    const char* name;
    void (*run)(std::string_view bytes);
    bool hasSections = false; ///< sections have checksums: also try `withSectionChanged`
};

/// Returns all importers, all decompressors, and the readers of the user's small files.
std::span<const Target> targets();

} // namespace highwater::fuzz
