#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// A symbol that a library takes from others.
struct ImportedSymbol
{
    std::string name;
    std::string library; ///< whose version it asks for: "libcudart.so.12"; empty: any
    std::string version; ///< version node in there; empty: none
    auto operator<=>(const ImportedSymbol&) const = default;
};

struct ElfSymbols
{
    std::vector<std::string> neededLibraries; ///< DT_NEEDED, in the file's order
    std::vector<ImportedSymbol> imported;
    std::vector<std::string> defined;
};

/// What a 64-bit little-endian shared library takes from others, and what it gives them. The bytes are not
/// trusted: every offset is checked. Fails with UnknownFormat for what is no such file and with Malformed for
/// one that contradicts itself. O(symbols).
Result<ElfSymbols> readElfSymbols(std::span<const std::byte> file);

/// The same of a file, which is mapped.
Result<ElfSymbols> readElfFile(const std::string& path);

} // namespace highwater::rehearse
