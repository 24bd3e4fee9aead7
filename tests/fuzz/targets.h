#pragma once

#include <span>
#include <string_view>

namespace highwater::fuzz {

/// Something that takes bytes from a stranger. Any bytes are read, or refused in a sentence; what breaks a
/// promise ends the program.
struct Target
{
    const char* name;
    void (*run)(std::string_view bytes);
    bool hasSections = false; ///< behind checksums: to be changed by `withSectionChanged`, too
};

/// Each importer, each decompressor, each small file of a user.
std::span<const Target> targets();

} // namespace highwater::fuzz
