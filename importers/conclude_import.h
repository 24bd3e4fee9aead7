#pragma once

#include <optional>

#include "importers/importer.h"

namespace highwater {

/// Whether what was read before the error can be used: the file ends early or is broken part way. What the
/// user has cancelled or limited is not the file's fault, and half of it would be taken for all of it.
inline bool leavesPart(const Error& error)
{
    return error.code == ErrorCode::Truncated || error.code == ErrorCode::Malformed
        || error.code == ErrorCode::CannotRead;
}

/// Gives each of the file's records to `take`, which returns how much memory what was read takes by now.
/// Returns the first trouble; none: the end of the file.
template <typename Records, typename Take>
std::optional<Error> readRecords(Records records, std::uint64_t mostBytes, Take take)
{
    for (;;) {
        const Result<std::optional<std::string_view>> record = records.next();
        if (!record)
            return record.error();
        if (!*record)
            return std::nullopt;
        if (take(**record) > mostBytes)
            return Error{ErrorCode::LimitExceeded, "the series need more memory than the limit", {}};
    }
}

/// How every importer ends, after `error` if there is one: with the trace that `finish` makes of what was
/// read, as incomplete after an error; or with the error, where it leaves no part or there `isEmpty`.
template <typename Finish>
Result<ImportedTrace> concludeImport(const std::optional<Error>& error, bool isEmpty, Finish finish)
{
    if (error && (isEmpty || !leavesPart(*error)))
        return tl::unexpected<Error>(*error);
    ImportedTrace imported;
    imported.trace = finish();
    imported.incomplete = error;
    return imported;
}

} // namespace highwater
