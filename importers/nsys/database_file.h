#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

/// Properties of an SQLite file that are read without the library: https://www.sqlite.org/fileformat.html.
namespace highwater::nsys {

inline constexpr std::string_view kMagic{"SQLite format 3\0", 16};

/// Returns the size of the file according to its own header, or nothing if the header does not state it
/// reliably.
std::optional<std::uint64_t> declaredBytes(std::string_view header);

/// Returns the size of a regular file; 0 if there is no such file.
std::uint64_t fileBytes(const std::string& path);

/// True if the path is a regular file that has all the bytes that its header states.
bool isCompleteFile(const std::string& path);

/// Fails if another program holds a write lock, or if the journal of an interrupted program is next to the
/// file. In both cases the content may be inconsistent.
Result<void> checkNotBeingWritten(const std::string& path);

/// True if there is a write-ahead log with changes that are not in the file itself.
bool hasWriteAheadLog(const std::string& path);

/// Reads the content of a database from the source. Missing parts become zero, and `missing` gets the reason.
/// Fails if nothing is usable.
Result<std::string> readContent(ByteSource& source, std::uint64_t maxBytes, std::optional<Error>& missing);

} // namespace highwater::nsys
