#include "core/report/tables/series_table.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(SeriesTable, HasARowForEachPoint)
{
    Trace trace;
    CounterSeries& series = trace.counters.emplace_back();
    series.name = "allocated";
    series.rank = 3;
    series.unit = "bytes";
    series.value = {5, 7};
    series.step = {1, CounterSeries::kNoStep};
    series.line = {10, 12};
    CounterSeries& loss = trace.counters.emplace_back();
    loss.name = "loss";
    loss.value = {-2.5};
    std::string text;
    TableWriter writer(
        TableFormat::Csv,
        [&](std::string_view more) {
            text += more;
            return true;
        },
        "curve", seriesColumns());
    writeSeries(trace, writer);
    ASSERT_TRUE(writer.finish());
    EXPECT_EQ(text,
        "series,rank,device,process,step,epoch,time_ns,line,label,value,unit\r\n"
        "allocated,3,,,1,,,10,,5,bytes\r\nallocated,3,,,,,,12,,7,bytes\r\nloss,,,,,,,,,-2.5,\r\n");
}

} // namespace highwater
