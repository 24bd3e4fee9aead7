#pragma once

#include <optional>

#include "importers/importer.h"

namespace highwater {

/// True if the part that was read before the error may be shown: the file ends early or is damaged further
/// on. False after a cancellation or a limit, because the user could take half a file for the whole.
inline bool leavesUsablePart(const Error& error)
{
    return error.code == ErrorCode::Truncated || error.code == ErrorCode::Malformed
        || error.code == ErrorCode::CannotRead;
}

/// Passes each of the file's records to `addRecord`, which returns the bytes of memory in use afterwards.
/// Returns the first error, LimitExceeded above `mostBytes`, or nothing at the end of the file.
template <typename Records, typename AddRecord>
std::optional<Error> readRecords(Records records, std::uint64_t mostBytes, AddRecord addRecord)
{
    for (;;) {
        const Result<std::optional<std::string_view>> record = records.next();
        if (!record)
            return record.error();
        if (!*record)
            return std::nullopt;
        if (addRecord(**record) > mostBytes)
            return Error{ErrorCode::LimitExceeded, "the series need more memory than the limit", {}};
    }
}

/// Ends every import. Without an error, returns the trace that `finish` builds from what was read. After an
/// error, that trace is marked incomplete; if nothing was read, or the rest cannot be used
/// (`leavesUsablePart`), the error is returned instead.
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
