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

/// The size of the file by its own header; none if the header does not state it reliably.
std::optional<std::uint64_t> declaredBytes(std::string_view header);

/// 0 where there is no such file.
std::uint64_t fileBytes(const std::string& path);

/// Whether the path is a regular file that has all bytes its header states.
bool isWholeFile(const std::string& path);

/// An error if another program holds a write lock, or if an interrupted one has left its journal next to the
/// file: the content is then inconsistent.
Result<void> checkAtRest(const std::string& path);

/// Whether there is a write-ahead log with changes that are not in the file itself.
bool hasWriteAheadLog(const std::string& path);

/// Reads the content of a database from the source. `missing` is why parts are absent, which are then zero.
/// Fails if nothing is usable.
Result<std::string> readContent(ByteSource& source, std::uint64_t maxBytes, std::optional<Error>& missing);

} // namespace highwater::nsys
