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
    std::string library; ///< library whose version it requests: "libcudart.so.12"; empty for any
    std::string version; ///< version node in that library; may be empty
    auto operator<=>(const ImportedSymbol&) const = default;
};

struct ElfSymbols
{
    std::vector<std::string> neededLibraries; ///< DT_NEEDED, in the file's order
    std::vector<ImportedSymbol> imported;
    std::vector<std::string> defined;
};

/// Reads the imported and defined symbols of a 64-bit little-endian shared library. The bytes are not
/// trusted: every offset is checked. Fails with UnknownFormat for other files and with Malformed for a file
/// that contradicts itself. O(symbols).
Result<ElfSymbols> readElfSymbols(std::span<const std::byte> file);

/// Does the same for a file, which is mapped.
Result<ElfSymbols> readElfFile(const std::string& path);

} // namespace highwater::rehearse
