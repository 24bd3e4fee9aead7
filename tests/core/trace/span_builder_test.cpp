#include "core/trace/span_builder.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

/// Marks as text: "+a 10" begins a at 10, "-a 20" ends it.
class Marks
{
public:
    Marks& begin(std::string_view name, Nanoseconds time) { return add(name, time, true); }
    Marks& end(std::string_view name, Nanoseconds time) { return add(name, time, false); }
    std::vector<Span> spans() const { return spansFromMarks(m_marks, m_strings); }
    std::string nameOf(const Span& span) const { return std::string(m_strings.view(span.name)); }

private:
    Marks& add(std::string_view name, Nanoseconds time, bool start)
    {
        m_marks.push_back({m_strings.intern(name), 0, time, start});
        return *this;
    }
    StringPool m_strings;
    std::vector<AnnotationMark> m_marks;
};

} // namespace

TEST(SpanBuilder, MakesNothingOutOfNothing)
{
    EXPECT_TRUE(Marks().spans().empty());
}

TEST(SpanBuilder, JoinsStartAndEnd)
{
    const std::vector<Span> spans = Marks().begin("a", 10).end("a", 20).spans();
    ASSERT_EQ(spans.size(), 1u);
    EXPECT_EQ(spans[0].begin, 10);
    EXPECT_EQ(spans[0].end, 20);
    EXPECT_FALSE(spans[0].beginMissing || spans[0].endMissing);
}

TEST(SpanBuilder, PutsOuterRangesBeforeInnerOnesWithTheirDepth)
{
    Marks marks;
    const std::vector<Span> spans = marks.begin("outer", 10)
                                        .begin("inner", 12)
                                        .end("inner", 18)
                                        .end("outer", 20)
                                        .begin("next", 20)
                                        .end("next", 30)
                                        .spans();
    ASSERT_EQ(spans.size(), 3u);
    EXPECT_EQ(marks.nameOf(spans[0]), "outer");
    EXPECT_EQ(spans[0].depth, 0);
    EXPECT_EQ(marks.nameOf(spans[1]), "inner");
    EXPECT_EQ(spans[1].depth, 1);
    EXPECT_EQ(marks.nameOf(spans[2]), "next");
    EXPECT_EQ(spans[2].depth, 0);
}

TEST(SpanBuilder, EndsTheLatestOfSeveralOpenRangesOfOneName)
{
    const std::vector<Span> spans = Marks().begin("a", 10).begin("a", 20).end("a", 30).end("a", 40).spans();
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(spans[0].end, 40);
    EXPECT_EQ(spans[1].begin, 20);
    EXPECT_EQ(spans[1].end, 30);
}

TEST(SpanBuilder, LetsRangesOfSeveralThreadsInterleave)
{
    Marks marks;
    const std::vector<Span> spans = marks.begin("a", 10).begin("b", 20).end("a", 30).end("b", 40).spans();
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(spans[0].end, 30);
    EXPECT_EQ(spans[1].end, 40);
}

TEST(SpanBuilder, BeginsAnEndWithoutStartAtTheFirstMark)
{
    const std::vector<Span> spans = Marks().begin("a", 10).end("lost", 15).end("a", 20).spans();
    ASSERT_EQ(spans.size(), 2u);
    const Span& lost = spans[1];
    EXPECT_TRUE(lost.beginMissing);
    EXPECT_FALSE(lost.endMissing);
    EXPECT_EQ(lost.begin, 10);
    EXPECT_EQ(lost.end, 15);
}

TEST(SpanBuilder, EndsAStartWithoutEndAtTheLastMark)
{
    const std::vector<Span> spans = Marks().begin("open", 10).begin("a", 12).end("a", 20).spans();
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_TRUE(spans[0].endMissing);
    EXPECT_EQ(spans[0].end, 20);
}

TEST(SpanBuilder, KnowsProfilerSteps)
{
    const std::vector<Span> spans = Marks()
                                        .begin("ProfilerStep#3", 1)
                                        .end("ProfilerStep#3", 2)
                                        .begin("Optimizer.step#SGD.step", 3)
                                        .end("Optimizer.step#SGD.step", 4)
                                        .spans();
    EXPECT_EQ(spans[0].kind, SpanKind::ProfilerStep);
    EXPECT_EQ(spans[1].kind, SpanKind::Annotation);
}

TEST(SpanBuilder, CountsARangeWithoutLengthAsOutermostAfterAnotherHasEnded)
{
    const std::vector<Span> spans
        = Marks().begin("a", 0).end("a", 10).begin("moment", 20).end("moment", 20).spans();
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(spans[1].depth, 0);
}

TEST(SpanBuilder, CountsARangeWithoutLengthInsideAnotherAsInner)
{
    const std::vector<Span> spans
        = Marks().begin("a", 0).begin("moment", 5).end("moment", 5).end("a", 10).spans();
    EXPECT_EQ(spans[1].depth, 1);
}

} // namespace highwater
