#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "app/cli/console/exit_code.h"

namespace highwater::cli {

/// Ends a command that cannot continue: the command line prints "highwater: SUBJECT: MESSAGE".
struct Refusal
{
    std::string subject; ///< a file, an option or a command
    Error error;
    int exitCode = exitCodeOf(error);
};

/// Ends a command because of wrong usage.
[[noreturn]] inline void refuse(const std::string& subject, std::string message)
{
    throw Refusal{subject, {ErrorCode::BadRequest, std::move(message), {}}};
}

/// Returns the value, or ends the command with the error.
template <typename T>
T need(const std::string& subject, Result<T> result)
{
    if (!result)
        throw Refusal{subject, std::move(result.error())};
    if constexpr (!std::is_void_v<T>)
        return *std::move(result);
}

/// Returns the value like `need`, for a file that belongs to the options, such as rules: its invalid content
/// is wrong usage, not an unreadable input.
template <typename T>
T needOption(const std::string& path, Result<T> result)
{
    if (!result) {
        const Error& error = result.error();
        const bool makesNoSense = error.code != ErrorCode::CannotRead && error.code != ErrorCode::Cancelled;
        throw Refusal{path, error, makesNoSense ? WrongUsage : exitCodeOf(error)};
    }
    return *std::move(result);
}

} // namespace highwater::cli
