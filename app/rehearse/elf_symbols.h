#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// A symbol that a library imports.
struct ImportedSymbol
{
    std::string name;
    std::string library; ///< the library that must define it: "libcudart.so.12"; empty for any
    std::string version; ///< version node in that library; may be empty
    auto operator<=>(const ImportedSymbol&) const = default;
};

/// The dynamic symbols of a shared library, and the libraries that it needs.
struct ElfSymbols
{
    std::vector<std::string> neededLibraries; ///< DT_NEEDED, in the file's order
    std::vector<ImportedSymbol> imported;
    std::vector<std::string> defined;
};

/// Reads the imported and defined symbols of a 64-bit little-endian shared library. The bytes are not
/// trusted: every offset is checked. Fails with UnknownFormat for other files and with Malformed for a file
/// that contradicts itself. O(symbols × log versions).
Result<ElfSymbols> readElfSymbols(std::span<const std::byte> file);

/// Reads the symbols of a file, which is mapped into memory. Fails also with CannotRead.
Result<ElfSymbols> readElfFile(const std::string& path);

} // namespace highwater::rehearse
