#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

/// Properties of an SQLite file that are read without the library: https://www.sqlite.org/fileformat.html.
/// Sizes are in bytes.
namespace highwater::nsys {

inline constexpr std::string_view kMagic{"SQLite format 3\0", 16};

/// Returns the size of the database according to its header: page size × number of pages. Nothing if this is
/// no header, or if the last writer was a version of SQLite that does not maintain the number of pages.
std::optional<std::uint64_t> declaredBytes(std::string_view header);

/// Returns the size of a regular file; 0 if there is no such file.
std::uint64_t fileBytes(const std::string& path);

/// True if the path is a regular file with a whole header that does not state more bytes than the file has.
/// The header may be of any format, or state no size.
bool isCompleteFile(const std::string& path);

/// Fails with CannotRead if another program holds a write lock, or if the journal of an interrupted program
/// is next to the file: the content may then be inconsistent. Succeeds for a file that cannot be opened.
Result<void> checkNotBeingWritten(const std::string& path);

/// True if a write-ahead log that is not empty is next to the file, and may have changes that the file lacks.
bool hasWriteAheadLog(const std::string& path);

/// Reads a database from the source, up to `maxBytes`, and marks it in its header as one without a
/// write-ahead log. If the source ends early or fails, `missing` gets the reason, and the missing part
/// becomes zero if at least a hundredth of the declared size arrived and the whole fits `maxBytes`; otherwise
/// the result is shorter than declared. Fails if not even the first page arrived or the header is damaged, if
/// the source is cancelled, and with LimitExceeded above `maxBytes`.
Result<std::string> readContent(ByteSource& source, std::uint64_t maxBytes, std::optional<Error>& missing);

} // namespace highwater::nsys
