#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

/// What can be told of an SQLite file without the library: https://www.sqlite.org/fileformat.html.
namespace highwater::nsys {

inline constexpr std::string_view kMagic{"SQLite format 3\0", 16};

/// How large the file is by its own header; none where the header does not say, or not reliably.
std::optional<std::uint64_t> declaredBytes(std::string_view header);

/// 0 where there is no such file.
std::uint64_t fileBytes(const std::string& path);

/// Whether the path is that of an ordinary file which holds all bytes that its header promises.
bool isWholeFile(const std::string& path);

/// An error if another program holds a write lock, or if an interrupted one has left its journal next to the
/// file: the content is then inconsistent.
Result<void> checkAtRest(const std::string& path);

/// Whether there is a write-ahead log with changes that are not in the file itself.
bool hasWriteAheadLog(const std::string& path);

/// The content of a database, as far as the source gives it. `missing` tells why something is not there, if
/// so; there are zeros then. Fails where nothing of use is.
Result<std::string> readContent(ByteSource& source, std::uint64_t maxBytes, std::optional<Error>& missing);

} // namespace highwater::nsys
