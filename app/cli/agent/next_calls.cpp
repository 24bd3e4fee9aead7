#include "app/cli/agent/next_calls.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace highwater::cli {

namespace {

constexpr std::array<std::string_view, 3> kFreeMemoryClasses{
    "gpu-oom-fragmentation", "gpu-oom-split", "gpu-oom-reserve"};

/// One answer and the arguments of its call, from which the next calls follow.
class Answer
{
public:
    Answer(const ToolArguments& arguments, const Json& document)
        : m_arguments(arguments)
        , m_document(document)
    {
        for (const char* const name : {"files", "device", "rank"})
            if (const Json* const value = arguments.find(name))
                m_run[name] = *value;
    }

    /// Returns a call about the same run.
    Json call(const char* tool, const char* why, const Json& more = Json::object()) const
    {
        Json callArguments = m_run;
        callArguments.update(more);
        return {{"tool", tool}, {"arguments", std::move(callArguments)}, {"why", why}};
    }

    /// Returns a call about the run of these files.
    Json callAbout(const char* tool, const char* why, const Json& files) const
    {
        return {{"tool", tool}, {"arguments", {{"files", files}}}, {"why", why}};
    }

    /// Returns the class of the document's diagnosis; empty if it has none.
    std::string diagnosisClass() const
    {
        const Json::json_pointer place("/diagnosis/class");
        return m_document.contains(place) && m_document[place].is_string()
            ? m_document[place].get<std::string>()
            : std::string();
    }

    /// True if the recording has allocations, so that a peak can be taken apart.
    bool hasAllocations() const
    {
        const Json::json_pointer place("/diagnosis/examined");
        if (!m_document.contains(place))
            return false;
        return std::ranges::any_of(
            m_document[place], [](const Json& part) { return part["what"] == "allocations"; });
    }

    bool hasSeveralRanks() const
    {
        const Json::json_pointer place("/run/ranks");
        return m_document.contains(place) && m_document[place].is_number() && m_document[place] > 1;
    }

    const Json* member(const char* name) const
    {
        const auto found = m_document.find(name);
        return found == m_document.end() || found->is_null() ? nullptr : &*found;
    }

    bool names(const char* argument) const { return m_arguments.find(argument) != nullptr; }
    const ToolArguments& arguments() const { return m_arguments; }

private:
    const ToolArguments& m_arguments;
    const Json& m_document;
    Json m_run = Json::object(); ///< the arguments that name the run
};

Json callsAfterFindings(const Answer& answer)
{
    Json calls = Json::array();
    const std::string diagnosisClass = answer.diagnosisClass();
    if (std::ranges::count(kFreeMemoryClasses, diagnosisClass) > 0)
        calls.push_back(answer.call("segments", "what is free, and why the request did not fit"));
    if (answer.hasSeveralRanks())
        calls.push_back(
            answer.callAbout("ranks", "which ranks differ, and in what", answer.arguments().texts("files")));
    if (diagnosisClass == "gpu-oom-leak")
        calls.push_back(
            answer.call("peaks", "who holds the leaked memory, by whole stack", {{"group", "stack"}}));
    else if (answer.hasAllocations())
        calls.push_back(answer.call("peaks", "what the peak consists of, by call site", {{"group", "site"}}));
    return calls;
}

Json callsAfterPeaks(const Answer& answer)
{
    Json calls = Json::array();
    const Json* const live = answer.member("live");
    if (live && live->contains("event"))
        calls.push_back(answer.call(
            "allocations", "the largest of these allocations, one by one", {{"live_at", (*live)["event"]}}));
    if (answer.arguments().textOr("group", "") == "category")
        return calls;
    Json byCategory = {{"group", "category"}};
    for (const char* const name : {"at", "step"})
        if (const Json* const moment = answer.arguments().find(name))
            byCategory[name] = *moment;
    calls.push_back(answer.call("peaks", "the same moment by category", byCategory));
    return calls;
}

Json callsAfterCheck(const Answer& answer)
{
    const Json* const ok = answer.member("ok");
    if (ok && *ok == false)
        return Json::array({answer.call("findings", "why a limit is exceeded, and what helps")});
    return Json::array();
}

Json callsFor(std::string_view tool, const Answer& answer)
{
    if (tool == "open")
        return Json::array({answer.call("findings", "what is wrong, and what helps")});
    if (tool == "findings")
        return callsAfterFindings(answer);
    if (tool == "peaks")
        return callsAfterPeaks(answer);
    if (tool == "check")
        return callsAfterCheck(answer);
    if (tool == "segments")
        return Json::array({answer.call("what_if", "whether allocator settings would have helped")});
    if (tool == "what_if" && answer.hasAllocations())
        return Json::array({answer.call("peaks", "what the peak consists of, by call site")});
    if (tool == "allocations")
        return Json::array({answer.call("peaks", "the peak by whole stack", {{"group", "stack"}})});
    if (tool == "compare")
        return Json::array({answer.callAbout("findings", "what is still wrong in the later run",
            Json::array({answer.arguments().needText("after")}))});
    if (tool == "ranks" || (tool == "budget" && answer.names("files")))
        return Json::array({answer.call("findings", "what is wrong, and what helps")});
    return Json::array();
}

} // namespace

Json nextCalls(const Tool& tool, const ToolArguments& arguments, const Json& document)
{
    if (!document.is_object())
        return Json::array();
    Json calls = callsFor(tool.name, Answer(arguments, document));
    constexpr std::size_t kMaxCalls = 2;
    while (calls.size() > kMaxCalls)
        calls.erase(calls.size() - 1);
    return calls;
}

} // namespace highwater::cli
