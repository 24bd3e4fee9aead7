#include "core/trace/import_log.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(ImportLog, CountsRepeatedCodesInOneEntry)
{
    ImportLog log;
    log.add(Severity::Warning, "odd", "first message", Place::byte(3));
    log.add(Severity::Warning, "odd", "second message", Place::byte(9), 4);
    ASSERT_EQ(log.entries().size(), 1u);
    EXPECT_EQ(log.entries()[0].count, 5);
    EXPECT_EQ(log.entries()[0].message, "first message");
    EXPECT_EQ(log.entries()[0].firstAt, Place::byte(3));
}

TEST(ImportLog, KeepsTheWorstSeverityOfACode)
{
    ImportLog log;
    for (const Severity severity : {Severity::Info, Severity::Error, Severity::Warning})
        log.add(severity, "odd", "message");
    ASSERT_EQ(log.entries().size(), 1u);
    EXPECT_EQ(log.entries()[0].severity, Severity::Error);
}

TEST(ImportLog, FindsEntriesByCode)
{
    ImportLog log;
    log.add(Severity::Info, "a", "…");
    EXPECT_NE(log.find("a"), nullptr);
    EXPECT_EQ(log.find("b"), nullptr);
}

TEST(ImportLog, NamesSeverities)
{
    EXPECT_EQ(toText(Severity::Info), "info");
    EXPECT_EQ(toText(Severity::Warning), "warning");
    EXPECT_EQ(toText(Severity::Error), "error");
}

} // namespace highwater
