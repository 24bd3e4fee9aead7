#pragma once

#include "core/base/result.h"

namespace highwater::cli {

/// Scripts rely on these numbers: their meaning never changes.
enum ExitCode : int
{
    Done = 0,
    CheckFailed = 1,
    WrongUsage = 2,
    CannotRead = 3,
    Incomplete = 4,
    Interrupted = 130,
};

/// Returns the exit code of a command that ends with this error.
inline int exitCodeOf(const Error& error)
{
    return error.code == ErrorCode::Cancelled ? Interrupted
        : error.code == ErrorCode::BadRequest ? WrongUsage
                                              : CannotRead;
}

/// Returns the worse of two exit codes: an interruption, then wrong usage, then an unreadable file, then an
/// incomplete one, then a failed check.
inline int worse(int a, int b)
{
    const auto severity = [](int code) {
        switch (code) {
        case Interrupted: return 5;
        case WrongUsage: return 4;
        case CannotRead: return 3;
        case Incomplete: return 2;
        case CheckFailed: return 1;
        default: return 0;
        }
    };
    return severity(a) >= severity(b) ? a : b;
}

} // namespace highwater::cli
