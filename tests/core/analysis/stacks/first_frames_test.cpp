#include "core/analysis/stacks/first_frames.h"

#include <gtest/gtest.h>

#include "core/trace/trace_builder.h"

namespace highwater {

namespace {

std::shared_ptr<const Trace> traceOfFunctions(
    const std::vector<std::pair<std::string, std::int32_t>>& functions)
{
    TraceBuilder builder;
    const StringId file = builder.strings().intern("/app/a.py");
    for (const auto& [function, line] : functions)
        builder.stacks().internFrame({builder.strings().intern(function), file, line, FrameKind::Python, {}});
    return builder.finish();
}

FrameId id(std::uint32_t frame)
{
    return FrameId(frame);
}

} // namespace

TEST(FirstFrames, AreNoneWhereAllReadDifferently)
{
    EXPECT_TRUE(firstFrames(*traceOfFunctions({{"f", 1}, {"f", 2}, {"g", 1}, {"g", 0}})).empty());
}

TEST(FirstFrames, AreOneWhereControlCharactersDiffer)
{
    EXPECT_EQ(firstFrames(*traceOfFunctions({{"f\x01", 1}, {"f\x02", 2}, {"f\x02", 1}})),
        (std::vector{id(0), id(1), id(0)}));
}

TEST(FirstFrames, AreOneWhereNoLineIsKnown)
{
    EXPECT_EQ(
        firstFrames(*traceOfFunctions({{"f", -1}, {"f", 0}, {"f", 1}})), (std::vector{id(0), id(0), id(2)}));
}

TEST(FirstFrames, AreOneWhereOnlyDetailsDiffer)
{
    TraceBuilder builder;
    Frame frame{
        builder.strings().intern("f"), builder.strings().intern("/app/a.py"), 1, FrameKind::Python, {}};
    const FrameId plain = builder.stacks().internFrame(frame);
    frame.details = builder.strings().intern("{}");
    builder.stacks().internFrame(frame);
    const auto trace = builder.finish();
    EXPECT_EQ(firstFrames(*trace), (std::vector{plain, plain}));
}

} // namespace highwater
