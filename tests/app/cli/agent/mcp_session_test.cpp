#include "app/cli/agent/mcp_session.h"

#include <gtest/gtest.h>

namespace highwater::cli {

namespace {

McpSession session()
{
    return McpSession({"/data"});
}

McpSession initialized()
{
    McpSession begun = session();
    begun.take(R"({"jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}})");
    return begun;
}

Json replyTo(McpSession& to, const std::string& line)
{
    const SessionStep step = to.take(line);
    return step.reply.value_or(Json());
}

int codeOf(const Json& reply)
{
    return reply.is_null() ? 0 : reply["error"]["code"].get<int>();
}

std::string versionFor(const std::string& asked)
{
    McpSession fresh = session();
    return replyTo(fresh,
        R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": ")" + asked
            + R"("}})")["result"]["protocolVersion"];
}

const std::string kStatelessMeta = R"("_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", )"
                                   R"("io.modelcontextprotocol/clientCapabilities": {}})";

} // namespace

TEST(McpSession, AgreesOnARevisionThatBothSpeak)
{
    EXPECT_EQ(versionFor("2025-11-25"), "2025-11-25");
    EXPECT_EQ(versionFor("2025-06-18"), "2025-06-18");
    EXPECT_EQ(versionFor("2024-11-05"), "2024-11-05");
}

TEST(McpSession, OffersTheNewestThatIsNoNewerThanAskedFor)
{
    EXPECT_EQ(versionFor("2025-03-26"), "2024-11-05");
    EXPECT_EQ(versionFor("2099-01-01"), "2025-11-25");
    EXPECT_EQ(versionFor("1999-01-01"), "2025-11-25");
}

TEST(McpSession, ListsToolsThatAreReadOnlyAndHaveASchema)
{
    McpSession begun = initialized();
    const Json list
        = replyTo(begun, R"({"jsonrpc": "2.0", "id": "a", "method": "tools/list"})")["result"]["tools"];
    EXPECT_GE(list.size(), 8u);
    for (const Json& tool : list) {
        EXPECT_TRUE(tool["annotations"]["readOnlyHint"].get<bool>());
        EXPECT_EQ(tool["inputSchema"]["type"], "object");
        EXPECT_TRUE(tool["inputSchema"]["properties"].contains("part")) << tool["name"];
    }
}

TEST(McpSession, AnswersAPing)
{
    McpSession begun = initialized();
    EXPECT_EQ(replyTo(begun, R"({"jsonrpc": "2.0", "id": 5, "method": "ping"})")["result"], Json::object());
}

TEST(McpSession, SpeaksTheRevisionWithoutAHandshake)
{
    McpSession fresh = session();
    const Json found = replyTo(fresh,
        R"({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {)" + kStatelessMeta + "}}");
    EXPECT_EQ(found["result"]["supportedVersions"][0], "2026-07-28");
    EXPECT_EQ(found["result"]["resultType"], "complete");
    const Json list = replyTo(
        fresh, R"({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {)" + kStatelessMeta + "}}");
    EXPECT_TRUE(list["result"].contains("ttlMs"));
    EXPECT_EQ(list["result"]["resultType"], "complete");
}

TEST(McpSession, NamesItsRevisionsToWhoAsksUnderAnother)
{
    McpSession fresh = session();
    const Json refused = replyTo(fresh,
        R"({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": "2030-01-01",
            "io.modelcontextprotocol/clientCapabilities": {}}}})");
    EXPECT_EQ(codeOf(refused), -32022);
    EXPECT_EQ(refused["error"]["data"]["supported"][0], "2026-07-28");
}

TEST(McpSession, WantsToBeInitializedFirst)
{
    McpSession fresh = session();
    EXPECT_EQ(codeOf(replyTo(fresh, R"({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})")), -32600);
}

TEST(McpSession, AnswersWhatIsNoMessage)
{
    McpSession begun = initialized();
    EXPECT_EQ(codeOf(replyTo(begun, "{")), -32700);
    EXPECT_EQ(codeOf(replyTo(begun, "\xff\xfe")), -32700);
    EXPECT_EQ(codeOf(replyTo(begun, "[]")), -32600);
    EXPECT_EQ(codeOf(replyTo(begun, "7")), -32600);
    EXPECT_EQ(codeOf(replyTo(begun, R"({"jsonrpc": "1.0", "id": 1, "method": "ping"})")), -32600);
    EXPECT_EQ(codeOf(replyTo(begun, R"({"jsonrpc": "2.0", "id": {}, "method": "ping"})")), -32600);
    EXPECT_EQ(codeOf(replyTo(begun, std::string(100'000, '['))), -32600);
    EXPECT_EQ(
        codeOf(replyTo(begun, R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []})")), -32602);
    EXPECT_EQ(codeOf(replyTo(begun, R"({"jsonrpc": "2.0", "id": 1, "method": "no/such"})")), -32601);
}

TEST(McpSession, LeavesNotificationsAndRepliesUnanswered)
{
    McpSession begun = initialized();
    for (const char* line : {R"({"jsonrpc": "2.0", "method": "notifications/initialized"})",
             R"({"jsonrpc": "2.0", "method": "whatever"})", R"({"jsonrpc": "2.0", "id": 3, "result": {}})",
             "", "  "})
        EXPECT_FALSE(begun.take(line).reply) << line;
}

TEST(McpSession, HandsOnCallsAndCancellations)
{
    McpSession begun = initialized();
    const SessionStep call = begun.take(
        R"({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "peaks", "arguments": {"file": "a"}}})");
    ASSERT_TRUE(call.call);
    EXPECT_EQ(call.call->tool->name, "peaks");
    EXPECT_EQ(call.call->arguments["file"], "a");
    const SessionStep cancel = begun.take(
        R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}})");
    EXPECT_EQ(cancel.cancelled, Json(9));
}

TEST(McpSession, KnowsNoOtherTools)
{
    McpSession begun = initialized();
    EXPECT_EQ(codeOf(replyTo(begun,
                  R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "convert"}})")),
        -32602);
    EXPECT_EQ(codeOf(replyTo(begun, R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call"})")), -32602);
}

} // namespace highwater::cli
