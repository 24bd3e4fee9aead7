#include "core/run/optimizer_kind.h"

#include <gtest/gtest.h>

#include "tests/support/run_document.h"

namespace highwater {

TEST(OptimizerNames, AreThoseOfTorchTransformersTimmAndBitsandbytes)
{
    using enum OptimizerKind;
    for (const auto& [name, kind] :
        {std::pair("adam", AdamW), {"AdamW", AdamW}, {"torch.optim.AdamW", AdamW}, {"adamw_torch", AdamW},
            {"adamw_torch_fused", AdamWFused}, {"fusedadam", AdamWFused}, {"adam8bit", AdamW8bit},
            {"adamw_bnb_8bit", AdamW8bit}, {"bitsandbytes.optim.AdamW8bit", AdamW8bit},
            {"paged_adamw_8bit", PagedAdamW}, {"PagedAdamW32bit", PagedAdamW}, {"adafactor", Adafactor},
            {"lion", Lion}, {"lion_8bit", Lion8bit}, {"RMSprop", RmsProp}, {"muon", Muon}, {"sgd", Sgd},
            {"momentum", SgdMomentum}, {"sgd-momentum", SgdMomentum}, {"none", None}})
        EXPECT_EQ(optimizerFromText(name), kind) << name;
}

TEST(OptimizerNames, ThatArePrintedAreRead)
{
    for (int i = 0; i <= static_cast<int>(OptimizerKind::None); ++i) {
        const auto kind = static_cast<OptimizerKind>(i);
        EXPECT_EQ(optimizerFromText(toText(kind)), kind) << toText(kind);
    }
}

TEST(OptimizerNames, ThatAreUnknownBringTheNearest)
{
    const auto run = test::readRun("parameters: 5\noptimizer: adafacter\n");
    ASSERT_FALSE(run);
    EXPECT_NE(run.error().message.find("did you mean adafactor?"), std::string::npos) << run.error().message;
}

} // namespace highwater
