#include "importers/cupti_text/record_text.h"

#include <gtest/gtest.h>

namespace highwater::cupti_text {

using nsys::MemoryKind;

TEST(RecordWords, OfOperationsAreKnownInManySpellings)
{
    for (const char* word :
        {"ALLOCATE", "Allocation", "alloc", "CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION"})
        EXPECT_EQ(isReleaseWord(word), std::optional(false)) << word;
    for (const char* word : {"RELEASE", "free", "Deallocation", "CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION"})
        EXPECT_EQ(isReleaseWord(word), std::optional(true)) << word;
    EXPECT_EQ(isReleaseWord("<unknown>"), std::nullopt);
    EXPECT_EQ(isReleaseWord(""), std::nullopt);
}

TEST(RecordWords, OfKindsAreKnownInManySpellings)
{
    EXPECT_EQ(kindOfWord("DEVICE"), MemoryKind::Device);
    EXPECT_EQ(kindOfWord("Device Static"), MemoryKind::DeviceStatic);
    EXPECT_EQ(kindOfWord("CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC"), MemoryKind::ManagedStatic);
    EXPECT_EQ(kindOfWord("managed"), MemoryKind::Managed);
    EXPECT_EQ(kindOfWord("PINNED"), MemoryKind::Pinned);
    EXPECT_EQ(kindOfWord("<unknown>"), MemoryKind::Unknown);
}

TEST(RecordWords, NumbersOfKindsAreCuptis)
{
    EXPECT_EQ(kindOfCuptiNumber(0), MemoryKind::Unknown);
    EXPECT_EQ(kindOfCuptiNumber(2), MemoryKind::Pinned);
    EXPECT_EQ(kindOfCuptiNumber(3), MemoryKind::Device);
    EXPECT_EQ(kindOfCuptiNumber(7), MemoryKind::ManagedStatic);
    EXPECT_EQ(kindOfCuptiNumber(8), MemoryKind::Unknown);
}

TEST(RecordWords, WholeNumbersAreDecimalOrHexadecimal)
{
    EXPECT_EQ(wholeNumber("18446744073709551615"), std::uint64_t{18'446'744'073'709'551'615u});
    EXPECT_EQ(wholeNumber("0x7f00"), std::uint64_t{0x7f00});
    for (const char* text : {"", "0x", "-1", "12 ", "1.5", "18446744073709551616", "lots"})
        EXPECT_EQ(wholeNumber(text), std::nullopt) << text;
}

TEST(RecordWords, PlainWordsHaveNoCaseAndNoPunctuation)
{
    EXPECT_EQ(plainWord("Memory Operation_Type"), "memoryoperationtype");
    EXPECT_EQ(plainWord("timestamp (ns)"), "timestampns");
}

} // namespace highwater::cupti_text
