#include "core/analysis/diff/diff_findings.h"

#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/diff/compared_traces.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::atPeak;

TEST(DiffFindings, TellTheSameFactorsAndReplacementsInEveryGrouping)
{
    const auto before = test::realFilePath("snapshots/gpt-medium-ctx256-training.pickle");
    const auto after = test::realFilePath("snapshots/gpt-medium-ctx1024-training.pickle");
    SKIP_WITHOUT_REAL_FILE(before && after);
    const auto one = openTrace(*before, {})->trace;
    const auto other = openTrace(*after, {})->trace;
    const DeviceStudy oneStudy(*one, 0);
    const DeviceStudy otherStudy(*other, 0);
    const StackClasses classes = matchStacks(*one, *other);
    for (const GroupKey key : {GroupKey::Stack, GroupKey::Site, GroupKey::Category, GroupKey::Size}) {
        const DiffFindings found = findDiff(atPeak(oneStudy), atPeak(otherStudy), key, classes, {});
        EXPECT_EQ(found.causes.factors.dimension, 4) << toText(key);
        EXPECT_EQ(found.causes.factors.precision, 0.5) << toText(key);
        ASSERT_EQ(found.replacements.size(), 1u) << toText(key);
        EXPECT_TRUE(test::hasParts(found.replacements[0],
            {"scaled_dot_product_attention (model.py:434)", "23 blocks of 128 MiB",
                "24 blocks of 16 MiB at softmax (nn_utils.py:7)", "×8 = 4²·½"}))
            << toText(key);
        EXPECT_TRUE(test::hasParts(
            found.verdict.headline, {"grew by 14.07 GiB (166%)", "from 8.48 GiB to 22.54 GiB"}));
    }
}

} // namespace highwater
