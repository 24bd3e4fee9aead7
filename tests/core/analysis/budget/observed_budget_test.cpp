// Tests of the figures that a file provides for the lines of the budget.
#include "core/analysis/budget/observed_budget.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "app/loading/run_shape_file.h"
#include "core/analysis/budget/budget_gap.h"
#include "core/analysis/budget/budget_headline.h"
#include "core/analysis/detectors/detectors.h"
#include "core/analysis/device/device_figures.h"
#include "core/base/text_format.h"
#include "tests/support/run_document.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::LineName;

namespace {

/// The trace of a file, kept because studies refer to it.
struct Sample
{
    enum class From
    {
        Samples,
        Path
    };
    explicit Sample(const std::string& name, From from = From::Samples)
        : imported(loadFile(from == From::Path ? name : test::snapshotPath(name), {}))
        , study(*imported->trace, device())
    {
    }
    DeviceIndex device() const
    {
        std::vector<DeviceFigures> figures;
        for (DeviceIndex i = 0; i < imported->trace->devices.size(); ++i)
            figures.push_back(deviceFigures(*imported->trace, i));
        return *mainDevice(*imported->trace, figures);
    }

    Result<ImportedTrace> imported;
    DeviceStudy study;
};

RunShape sampleRun(const std::string& name)
{
    const auto run = loadRunShape(test::samplePath("budget/" + name + ".yaml"));
    EXPECT_TRUE(run) << run.error().message;
    return run.value_or(RunShape());
}

ObservedBudget observe(const Sample& sample, const RunShape& run)
{
    return observedBudget(expectedBudget(run).value(), run, sample.study);
}

Bytes seen(const ObservedBudget& observed, LineName name)
{
    const ObservedBudget::Line* const line = observed.find(name);
    return line ? line->bytes : -1;
}

bool mentions(const std::vector<std::string>& sentences, const std::string& words)
{
    return std::ranges::any_of(
        sentences, [&words](const std::string& text) { return text.find(words) != std::string::npos; });
}

/// Returns the findings of a sample with the settings of R1.
std::vector<Finding> findingsOfR1(const Sample& sample)
{
    DetectorInput input(sample.study);
    input.settings.push_back({"vocab", "50257", {}});
    return findFindings(input);
}

const Finding& findingOfBudget(const std::vector<Finding>& findings, const std::string& rule)
{
    const auto found = std::ranges::find(findings, rule, &Finding::rule);
    EXPECT_NE(found, findings.end()) << rule;
    return *found;
}

} // namespace

TEST(ObservedR1, HasTheLogitsOfTheFindingAboutThem)
{
    for (const std::string& name :
        {std::string("r1-grpo-before"), test::samplePath("rehearsed/r1-grpo-before.pickle.zst")}) {
        const Sample sample(name, name.find('/') == name.npos ? Sample::From::Samples : Sample::From::Path);
        const std::vector<Finding> findings = findingsOfR1(sample);
        const RunShape run = sampleRun("r1-grpo");
        const ObservedBudget observed
            = observedBudget(expectedBudget(run).value(), run, sample.study, findings);
        EXPECT_EQ(seen(observed, LineName::Logits), findingOfBudget(findings, "oversized-logits").bytes)
            << name;
        EXPECT_EQ(observed.find(LineName::Logits)->siteBytes > 0, true);
    }
}

TEST(ObservedR1, CountsTheCacheThatItsModelKeeps)
{
    EXPECT_EQ(formatBytes(seen(observe(Sample("r1-grpo-before"), sampleRun("r1-grpo")), LineName::KvCache)),
        "4.01 GiB");
}

TEST(ObservedR1, LeaksAndRanOutAlthoughItsEstimateFits)
{
    const Sample sample("r1-grpo-before");
    const BudgetStudy study
        = studyBudget({sampleRun("r1-grpo"), {}, {}}, &sample.study, findingsOfR1(sample)).value();
    EXPECT_EQ(study.observed->outcome.reservedPeak, sample.study.figures.reservedPeakBytes);
    EXPECT_TRUE(study.observed->outcome.ranOut);
    EXPECT_TRUE(study.observed->outcome.grows());
    for (const GpuFit& fit : study.allFits)
        EXPECT_FALSE(fit.fits) << fit.gpu << " holds no run that grows";
    const std::string verdict = budgetVerdict(study);
    for (const char* words : {"The estimate leaves 19.34 GiB of L4, with 723 MiB for a CUDA context.",
             "The run does not fit L4, at least 1.34 GiB short.",
             "The run leaks, so a larger GPU only fails later: 14.89 GiB",
             "policy_log_probs (trainer.py:186)"})
        EXPECT_NE(verdict.find(words), verdict.npos) << words << " in " << verdict;
}

TEST(ObservedR1, SaysForHowManyStepsMoreALargerGpuHasRoom)
{
    const Sample sample("r1-grpo-before");
    const BudgetStudy study
        = studyBudget({sampleRun("r1-grpo"), {}, {}}, &sample.study, findingsOfR1(sample)).value();
    const auto answer = [&study](const std::string& gpu) {
        return std::ranges::find(study.allFits, gpu, &GpuFit::gpu)->answer();
    };
    EXPECT_EQ(answer("L4"), "no");
    EXPECT_EQ(answer("RTX 4090"), "no: it leaks, <1 more step");
    EXPECT_EQ(answer("RTX 5090"), "no: it leaks, ≈7 more steps");
}

TEST(ObservedR1, IsOfAnotherGpuThanTheConfiguredOneAndItsHeadlineSaysSo)
{
    const Sample sample("r1-grpo-before");
    const auto headlineFor = [&](const std::string& gpu) {
        return budgetHeadline(studyBudget({sampleRun("r1-grpo"), {gpu}, {}}, &sample.study).value());
    };
    EXPECT_NE(
        headlineFor("L4").find("on a GPU of at least 22.85 GiB, not on L4 (22.03 GiB)"), std::string::npos);
    EXPECT_EQ(headlineFor("RTX 4090").find("not on"), std::string::npos) << "it may be that GPU";
}

TEST(ObservedBudget, NamesTheSmallestOfTheListedGpusThatItFits)
{
    const Sample sample("tiny-hand-checked");
    const std::vector<std::string> sentences = studyBudget({{}, {}, {}}, &sample.study).value().sentences();
    EXPECT_TRUE(mentions(sentences, "the smallest GPU of this list that it fits"));
}

TEST(ObservedR1, DoesNotFitTheGpuOnWhichItRanOut)
{
    const Sample sample(test::samplePath("rehearsed/r1-grpo-before.pickle.zst"), Sample::From::Path);
    const BudgetStudy study = studyBudget({sampleRun("r1-grpo"), {}, {}}, &sample.study).value();
    EXPECT_EQ(verdictText(study.fits.front()), "ran-out");
    EXPECT_EQ(
        verdictText(studyBudget({sampleRun("r1-grpo"), {"A100 40"}, {}}, &sample.study).value().fits.front()),
        "at-least");
}

TEST(ObservedBudget, OfARunThatGrowsWithoutFailingFitsNoGpu)
{
    const Sample sample("fault-growth");
    const BudgetStudy study
        = studyBudget({sampleRun("r1-grpo"), {}, {}}, &sample.study, findingsOfR1(sample)).value();
    EXPECT_EQ(verdictText(study.fits.front()), "grows");
    EXPECT_TRUE(mentions({budgetVerdict(study)}, "leaks"));
    const Sample clean("clean-growth");
    EXPECT_EQ(verdictText(studyBudget({sampleRun("r1-grpo"), {}, {}}, &clean.study, findingsOfR1(clean))
                              .value()
                              .fits.front()),
        "fits");
}

TEST(ObservedR1, IsExactOnWeightsAndStateAndFarOffOnTheRest)
{
    const Sample sample("r1-grpo-before");
    const ObservedBudget observed = observe(sample, sampleRun("r1-grpo"));
    EXPECT_EQ(observed.total, 24'287'511'136);
    EXPECT_EQ(seen(observed, LineName::Parameters), 248'879'616);
    EXPECT_EQ(seen(observed, LineName::ReferenceModel), 248'879'616);
    EXPECT_EQ(seen(observed, LineName::Gradients), 248'879'616);
    EXPECT_EQ(seen(observed, LineName::OptimizerState), 2 * 248'879'616);
    EXPECT_EQ(seen(observed, LineName::Logits), observed.logitsTensorCount * 139'915'488);
    EXPECT_EQ(observed.logitsTensorCount, 29);
    EXPECT_GT(seen(observed, LineName::Activations),
        15 * test::lineOf(expectedBudget(sampleRun("r1-grpo")).value(), LineName::Activations));
}

TEST(ObservedR1, HasTheCategoriesOfTheTimelineAtThePeak)
{
    const Sample sample("r1-grpo-before");
    const ObservedBudget observed = observe(sample, sampleRun("r1-grpo"));
    CategoryBytes bytes{};
    for (const std::vector<ObservedBudget::CategoryPart>* parts : {&observed.logitsParts, &observed.rest})
        for (const ObservedBudget::CategoryPart& part : *parts)
            bytes[static_cast<std::size_t>(part.category)] += part.bytes;
    bytes[static_cast<std::size_t>(Category::Activation)] += seen(observed, LineName::Activations);
    const CategoryBytes atPeak
        = categoriesAt(sample.study.allocations, sample.study.categories, {observed.event}).front();
    for (const Category category : {Category::Activation, Category::Input})
        EXPECT_EQ(bytes[static_cast<std::size_t>(category)], atPeak[static_cast<std::size_t>(category)]);
}

TEST(ObservedR1, SaysWhichSideOfALineIsLikelyWrong)
{
    const Sample sample("r1-grpo-before");
    const Budget budget = expectedBudget(sampleRun("r1-grpo")).value();
    const ObservedBudget observed = observe(sample, sampleRun("r1-grpo"));
    EXPECT_EQ(wrongSide(*budget.find(LineName::KvCache), observed), WrongSide::Expected);
    EXPECT_EQ(wrongSide(*budget.find(LineName::Activations), observed), WrongSide::Neither);
    EXPECT_FALSE(wrongSide(*budget.find(LineName::Parameters), observed));
}

TEST(ObservedR1, NamesTheFindingThatExplainsALine)
{
    const Sample sample("r1-grpo-before");
    const RunShape run = sampleRun("r1-grpo");
    const Budget budget = expectedBudget(run).value();
    const ObservedBudget observed = observedBudget(budget, run, sample.study, findingsOfR1(sample));
    EXPECT_EQ(likelyCause(*budget.find(LineName::Logits), observed), "part of the leak");
    EXPECT_EQ(likelyCause(*budget.find(LineName::Activations), observed), "part of the leak");
    EXPECT_EQ(
        likelyCause(*budget.find(LineName::KvCache), observed), "part of the generation with gradients");
}

TEST(ObservedR5, NamesAnOptimizerThatFitsTheObservedState)
{
    const RunShape run = sampleRun("r5-flan-t5-xl");
    const Budget budget = expectedBudget(run).value();
    const ObservedBudget observed = observe(Sample("r5-flan-t5-xl-before"), run);
    EXPECT_EQ(likelyCause(*budget.find(LineName::OptimizerState), observed),
        "the optimizer is not adamw: adamw-8bit would need 5.59 GiB");
}

TEST(WrongSide, IsTheObservedOneOfAGuessedCategory)
{
    const Budget budget = expectedBudget(sampleRun("r1-grpo")).value();
    ObservedBudget observed;
    observed.total = kGiB * 20;
    observed.lines = {{.name = LineName::KvCache, .bytes = kGiB * 4, .isGuess = true}};
    EXPECT_EQ(wrongSide(*budget.find(LineName::KvCache), observed), WrongSide::Observed);
}

TEST(ObservedR1, IsManyTimesWhatItsAuthorsStated)
{
    const Sample sample("r1-grpo-before");
    const RunShape run = sampleRun("r1-grpo");
    const Budget budget = expectedBudget(run).value();
    const ObservedBudget observed = observedBudget(budget, run, sample.study);
    const std::vector<std::string> sentences
        = budgetSentences(budget, &observed, {}, judgeStatedFigures(run, budget));
    EXPECT_TRUE(mentions(sentences, "11.4× the expected 1.98 GiB"));
    EXPECT_FALSE(mentions(sentences, "states 0.23 GB for")) << "one sentence names all lines in GiB";
    EXPECT_TRUE(mentions(sentences, "largest gap is in activations"));
    EXPECT_TRUE(mentions(sentences,
        "KV cache: 4.01 GiB observed, 0 B expected; likely the line's settings or formula do not fit the "
        "run"));
    EXPECT_TRUE(mentions(sentences, "29 logits-sized tensors"));
}

TEST(ObservedR5, HasTheParametersThreeTimesAndThenOnce)
{
    const RunShape run = sampleRun("r5-flan-t5-xl-counted");
    const Bytes once = 2 * 2'849'757'184;
    EXPECT_EQ(seen(observe(Sample("r5-flan-t5-xl-before"), run), LineName::Parameters), 3 * once);
    EXPECT_EQ(seen(observe(Sample("r5-flan-t5-xl-after"), run), LineName::Parameters), once);
}

TEST(ObservedR5, NamesTheCopiesThatAreExtra)
{
    const Sample sample("r5-flan-t5-xl-before");
    const BudgetStudy study = studyBudget(
        {sampleRun("r5-flan-t5-xl"), {}, {}}, &sample.study, findFindings(DetectorInput(sample.study)))
                                  .value();
    const ObservedBudget::Line& parameters = *study.observed->find(LineName::Parameters);
    EXPECT_EQ(parameters.faultSites,
        (std::vector<std::string>{"to (modeling_utils.py:3110)", "move_to_device (train.py:44)"}));
    EXPECT_EQ(parameters.site, "") << "three sites have as many bytes";
    const std::vector<std::string> sentences = study.sentences();
    EXPECT_TRUE(mentions(sentences, "likely part of the duplicate model, allocated by"));
    EXPECT_FALSE(mentions(sentences, "the largest gap is in parameters")) << "one fact once";
}

TEST(ObservedBudgets, AddUpToThePeak)
{
    for (const char* name : {"r1-grpo-before", "grpo-phases", "training-6-steps-annotated", "oom-too-big"}) {
        const Sample sample(name);
        for (const char* run : {"r1-grpo", "r3-vocabulary", "r5-flan-t5-xl"}) {
            const ObservedBudget observed = observe(sample, sampleRun(run));
            Bytes sum = observed.unexplained;
            for (const ObservedBudget::Line& line : observed.lines)
                sum += line.bytes;
            Bytes rest = 0;
            for (const ObservedBudget::CategoryPart& part : observed.rest)
                rest += part.bytes;
            EXPECT_EQ(sum, observed.total) << name << " " << run;
            EXPECT_EQ(rest, observed.unexplained);
            EXPECT_EQ(observed.total, sample.study.curve.peak().bytes);
        }
    }
}

TEST(ObservedBudgets, SplitACategoryAsItsLinesExpectIt)
{
    const Sample sample("training-6-steps-annotated");
    const auto run
        = test::readRun("parameters: 1000\ndtype: bf16\ncopies: [{role: policy}, {role: reference}, "
                        "{role: engine, parameters: 2000}]\n");
    const ObservedBudget observed = observe(sample, *run);
    const Bytes policy = seen(observed, LineName::Parameters);
    EXPECT_GT(policy, 0);
    EXPECT_NEAR(static_cast<double>(seen(observed, LineName::Engine)), 2.0 * static_cast<double>(policy), 2);
    EXPECT_TRUE(observed.find(LineName::Parameters)->isShared);
    EXPECT_FALSE(observed.find(LineName::Gradients)->isShared);
}

TEST(ObservedBudgets, LeaveCategoriesWithoutALineUnexplained)
{
    const Sample sample("training-6-steps-annotated");
    const ObservedBudget observed = observe(sample, *test::readRun("parameters: 1000\ndtype: bf16\n"));
    EXPECT_EQ(seen(observed, LineName::OptimizerState), -1);
    EXPECT_TRUE(std::ranges::any_of(observed.rest,
        [](const ObservedBudget::CategoryPart& rest) { return rest.category == Category::OptimizerState; }));
}

TEST(ParametersFound, AreThoseThatGradientsGiveAway)
{
    EXPECT_EQ(observedParameterCount(Sample("r5-flan-t5-xl-before").study, ElementType::Bf16), 2'849'757'184);
    EXPECT_EQ(observedParameterCount(Sample("r1-grpo-before").study, ElementType::Bf16), 124'439'808);
}

struct RealRun
{
    const char* file;
    const char* run;
    std::int64_t parameters;
};

class RealRuns : public testing::TestWithParam<RealRun>
{
};

/// Models from the course CS336: Llama-like with plain attention, fp32, four sequences.
TEST_P(RealRuns, HaveTheWeightsToTheByteAndActivationsWithinThirtyPerCent)
{
    const auto path = test::realFilePath(GetParam().file);
    SKIP_WITHOUT_REAL_FILE(path);
    const Sample sample(*path, Sample::From::Path);
    const auto run
        = test::readRun(std::string("family: llama\nvocab: 10000\ndtype: fp32\noptimizer: adamw\nbatch: 4\n"
                                    "attention: eager\n")
            + GetParam().run);
    ASSERT_TRUE(run);
    const Budget budget = expectedBudget(*run).value();
    const ObservedBudget observed = observedBudget(budget, *run, sample.study);
    EXPECT_EQ(budget.parameters, GetParam().parameters);
    EXPECT_EQ(observedParameterCount(sample.study, ElementType::Fp32), GetParam().parameters);
    EXPECT_EQ(seen(observed, LineName::Parameters), test::lineOf(budget, LineName::Parameters));
    EXPECT_EQ(seen(observed, LineName::OptimizerState), test::lineOf(budget, LineName::OptimizerState));
    EXPECT_NEAR(activationsFactor(budget, observed).value_or(0), 1, 0.3);
}

INSTANTIATE_TEST_SUITE_P(Snapshots, RealRuns,
    testing::Values(
        RealRun{"snapshots/gpt-medium-ctx256-training.pickle",
            "hidden: 1024\nlayers: 24\nheads: 16\nintermediate: 4096\nseq_len: 256\n", 423'183'360},
        RealRun{"snapshots/gpt-medium-ctx1024-training.pickle",
            "hidden: 1024\nlayers: 24\nheads: 16\nintermediate: 4096\nseq_len: 1024\n", 423'183'360},
        RealRun{"snapshots/transformer-fullstep.pickle",
            "hidden: 1280\nlayers: 36\nheads: 20\nintermediate: 5120\nseq_len: 256\n", 969'411'840}));

TEST(ObservedBudget, KeepsWhatEarlierStepsLeftBehindApart)
{
    const RunShape run = sampleRun("r1-grpo");
    const ObservedBudget leaking = observe(Sample("fault-growth"), run);
    const ObservedBudget clean = observe(Sample("clean-growth"), run);
    const auto needed = [](const ObservedBudget& observed) {
        return static_cast<double>(seen(observed, LineName::Activations) - observed.fromEarlierSteps);
    };
    EXPECT_GT(leaking.fromEarlierSteps, clean.fromEarlierSteps);
    EXPECT_GT(seen(leaking, LineName::Activations), seen(clean, LineName::Activations));
    EXPECT_NEAR(needed(leaking) / needed(clean), 1, 0.02) << "without the leak both need the same";
}

TEST(ObservedBudget, NeedsWhatTheRequestThatFailedAskedFor)
{
    const Sample failed("oom-too-big");
    const ObservedBudget observed = observe(failed, sampleRun("r1-grpo"));
    EXPECT_EQ(observed.needed.most, (6144 + 2300) * kMiB);
}

} // namespace highwater
