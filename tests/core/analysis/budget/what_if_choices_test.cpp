#include "core/analysis/budget/what_if_choices.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/loading/run_shape_file.h"
#include "core/analysis/budget/what_if.h"
#include "tests/support/run_document.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

std::vector<std::string> choicesOf(const std::string& run)
{
    return usualVariations(test::readRun(run).value());
}

} // namespace

TEST(WhatIfChoices, HalveWhatTheRunHas)
{
    const std::vector<std::string> choices = choicesOf("parameters: 1000\nbatch: 8\nseq_len: 100\n");
    EXPECT_EQ(choices, (std::vector<std::string>{"batch=4,2,1", "seq_len=50,25", "checkpointing=full"}));
}

TEST(WhatIfChoices, LeaveOutWhatTheRunDoesAlready)
{
    const std::vector<std::string> choices
        = choicesOf("parameters: 1000\nbatch: 1\noptimizer: sgd\ncheckpointing: full\n");
    EXPECT_EQ(choices, std::vector<std::string>());
}

TEST(WhatIfChoices, OfferNoOptimizerWithALargerState)
{
    const std::vector<std::string> choices
        = choicesOf("parameters: 1000\noptimizer: adamw-8bit\ncheckpointing: full\n");
    EXPECT_EQ(choices, (std::vector<std::string>{"optimizer=adafactor,sgd"}));
}

TEST(WhatIfChoices, CanAllBeTried)
{
    for (const char* name : {"r1-grpo", "r2-grpo-logits", "r3-vocabulary", "r4-verl", "r5-flan-t5-xl"}) {
        const auto run = loadRunShape(test::samplePath(std::string("budget/") + name + ".yaml"));
        ASSERT_TRUE(run) << name;
        for (const std::string& choice : usualVariations(*run)) {
            const Result<WhatIfAxis> axis = whatIfAxisFromText(choice);
            ASSERT_TRUE(axis) << choice;
            const Result<WhatIfGrid> grid = whatIf(*run, {*axis}, std::nullopt);
            ASSERT_TRUE(grid) << name << ", " << choice << ": " << grid.error().message;
            EXPECT_EQ(grid->cases.size(), axis->values.size());
        }
    }
}

} // namespace highwater
