#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/agent/tools.h"

namespace highwater::cli {

/// A tool call that has not been answered yet.
struct PendingCall
{
    Json id;
    const Tool* tool = nullptr;
    Json arguments;
    bool isStateless = false; ///< made under the revision without a handshake
};

/// The server's next step after a message; at most one member is set.
struct SessionStep
{
    std::optional<Json> reply;
    std::optional<PendingCall> call;
    std::optional<Json> cancelled; ///< id of a request that is no longer needed
};

/// The server's side of the Model Context Protocol: takes JSON-RPC 2.0 messages and returns replies, tool
/// calls and cancellations. Speaks the revisions with a handshake (`initialize`) and the one without, in
/// which each request names its revision. Reads no file and runs no tool.
class McpSession
{
public:
    explicit McpSession(std::vector<std::string> folders)
        : m_folders(std::move(folders))
    {
    }

    /// Handles one line of input. An invalid line leads to an error reply or is ignored; it never ends the
    /// session.
    SessionStep take(std::string_view line);
    /// Returns the reply to a line that was too long to be read.
    static Json tooLong(std::size_t maxBytes);

    static Json replyTo(const PendingCall& call, const ToolAnswer& answer);
    /// Returns the reply to a call for which the queue has no room.
    static Json busy(const PendingCall& call);

private:
    SessionStep handleMessage(const Json& message);
    SessionStep handleNotification(const std::string& method, const Json& params) const;
    SessionStep handleRequest(const Json& id, const std::string& method, const Json& params);
    SessionStep handleCall(const Json& id, const Json& params, bool isStateless) const;
    Json initializeResult(const Json& params);
    std::string instructions() const;

    std::vector<std::string> m_folders;
    bool m_isInitialized = false;
};

} // namespace highwater::cli
