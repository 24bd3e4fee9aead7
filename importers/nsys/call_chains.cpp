#include "importers/nsys/call_chains.h"

#include <algorithm>

namespace highwater::nsys {

namespace {

/// The most frames that are kept of a chain.
constexpr std::size_t kDeepestChain = 1'000;

struct ChainFrame
{
    std::int64_t depth = 0; ///< 0 for the innermost frame
    FrameId frame;
};

class ChainReader
{
public:
    ChainReader(Database& database, TraceBuilder& builder)
        : m_database(database)
        , m_builder(builder)
        , m_texts(database)
    {
    }

    CallChains readChains(const std::vector<RuntimeCall>& calls)
    {
        for (const RuntimeCall& call : calls)
            if (call.callChain != 0)
                m_frames.try_emplace(call.callChain);
        if (m_frames.empty())
            return {};
        TableScan table(
            m_database, "CUDA_CALLCHAINS", {"id", "symbol", "module", "unresolved", "stackDepth"});
        while (table.next())
            readFrame(table);
        CallChains chains;
        for (auto chain = m_frames.begin(); chain != m_frames.end(); ++chain)
            chains.insert({chain->first, sortedByDepth(chain.value())});
        return chains;
    }

private:
    void readFrame(const TableScan& table)
    {
        const auto chain = m_frames.find(table.integer(0));
        if (chain == m_frames.end() || chain->second.size() >= kDeepestChain
            || !m_database.countMemory(sizeof(ChainFrame) + sizeof(FrameId)))
            return;
        chain.value().push_back(
            {table.integer(4), frameOf(table.integer(1), table.integer(2), table.integer(3) != 0)});
    }

    FrameId frameOf(std::int64_t symbol, std::int64_t module, bool isUnresolved)
    {
        StringPool& strings = m_builder.strings();
        const std::string file = m_texts.find(module);
        std::string function = isUnresolved ? std::string() : m_texts.find(symbol);
        if (function.empty())
            function = "(unresolved)";
        const FrameKind kind = file.ends_with(".py") ? FrameKind::Python : FrameKind::Native;
        return m_builder.stacks().internFrame({strings.intern(function), strings.intern(file), 0, kind, {}});
    }

    static std::vector<FrameId> sortedByDepth(std::vector<ChainFrame>& frames)
    {
        std::ranges::stable_sort(frames, {}, &ChainFrame::depth);
        std::vector<FrameId> ids;
        for (const ChainFrame& frame : frames)
            ids.push_back(frame.frame);
        return ids;
    }

    Database& m_database;
    TraceBuilder& m_builder;
    StringLookup m_texts;
    NumberMap<std::int64_t, std::vector<ChainFrame>> m_frames;
};

} // namespace

CallChains readCallChains(Database& database, const std::vector<RuntimeCall>& calls, TraceBuilder& builder)
{
    return ChainReader(database, builder).readChains(calls);
}

} // namespace highwater::nsys
