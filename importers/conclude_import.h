#pragma once

#include <optional>

#include "importers/importer.h"
#include "importers/source/limit_error.h"

namespace highwater {

/// True if what was read before the error may be shown: the file ends early, is damaged, or cannot be read
/// further. False for every other error, such as a cancellation or a limit, because the user could take half
/// a file for the whole.
inline bool leavesUsablePart(const Error& error)
{
    return error.code == ErrorCode::Truncated || error.code == ErrorCode::Malformed
        || error.code == ErrorCode::CannotRead;
}

/// Passes each of the file's records to `addRecord`, which returns the bytes of memory in use afterwards.
/// Returns the first error, LimitExceeded above `maxBytes`, or nothing at the end of the file.
template <typename Records, typename AddRecord>
std::optional<Error> readRecords(Records records, std::uint64_t maxBytes, AddRecord addRecord)
{
    for (;;) {
        const Result<std::optional<std::string_view>> record = records.next();
        if (!record)
            return record.error();
        if (!*record)
            return std::nullopt;
        if (addRecord(**record) > maxBytes)
            return memoryLimitError(maxBytes);
    }
}

/// Returns the trace that `finish` builds, with `error` as the reason why it is incomplete. Returns only the
/// error, without calling `finish`, if nothing was read (`isEmpty`) or what was read cannot be used
/// (`leavesUsablePart`).
template <typename Finish>
Result<ImportedTrace> concludeImport(const std::optional<Error>& error, bool isEmpty, Finish finish)
{
    if (error && (isEmpty || !leavesUsablePart(*error)))
        return tl::unexpected<Error>(*error);
    ImportedTrace imported;
    imported.trace = finish();
    imported.incomplete = error;
    return imported;
}

} // namespace highwater
