#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/budget/budget.h"
#include "core/analysis/budget/observed_outcome.h"
#include "core/analysis/device/device_study.h"

namespace highwater {

/// The live memory of a device at its peak, assigned to the lines of a budget. In bytes.
struct ObservedBudget
{
    struct Line
    {
        BudgetLineName name = BudgetLineName::Parameters;
        Bytes bytes = 0;
        /// True if another line has bytes of the same category. The category is then split in proportion to
        /// the expected bytes.
        bool isShared = false;
        bool isGuess = false; ///< nearly all bytes of a category of the line are guesses, as in the timeline
        /// Call site with more bytes than any other: "forward (model.py:39)"; empty if several have as many.
        std::string site = {};
        Bytes siteBytes = 0; ///< bytes of this site in one category, the largest such sum
        std::string fault
            = {}; ///< rule of the fault that has most of the bytes, as a leak; empty if none has
        Bytes faultBytes = 0; ///< bytes that this fault has in one category, the largest such sum
        std::vector<std::string> faultSites = {}; ///< the call sites with the most of `faultBytes`
        /// Optimizer state that the run's optimizer does not explain and another does: "the optimizer is not
        /// adamw: adamw-8bit would need 5.59 GiB"; else empty.
        std::string otherOptimizer = {};
    };
    /// Bytes of one category of the timeline.
    struct CategoryPart
    {
        Category category = Category::Unknown;
        Bytes bytes = 0;
        bool isGuess = false; ///< nearly all bytes of the category are guesses

        std::string title() const { return titleOf(category, isGuess); }
    };

    Bytes total = 0; ///< Σ lines + unexplained, exactly
    std::int64_t event = -1; ///< event of the peak
    Quantity quantity = Quantity::Requested;
    std::vector<Line> lines; ///< lines of the budget, in its order; "outside" is never observed
    std::vector<CategoryPart> rest; ///< categories that belong to no line of the budget
    Bytes unexplained = 0; ///< Σ rest
    std::vector<CategoryPart> categories; ///< all bytes by category, as in the timeline: Σ = `total`
    /// Activations that were allocated before the step of the peak. A single step would not need them.
    Bytes fromEarlierSteps = 0;
    NeededMemory needed; ///< memory that a device must provide for PyTorch; at least `total`
    std::int64_t logitsTensorCount = 0; ///< live allocations that count as logits
    std::vector<CategoryPart> logitsParts; ///< the categories that the logits have in the timeline
    ObservedOutcome outcome; ///< how the run went

    /// Returns "at least ", before a peak that is a lower bound; else nothing.
    std::string_view boundWords() const { return outcome.part == RecordedPart::Whole ? "" : "at least "; }
    /// Returns null if the line was not observed.
    const Line* find(BudgetLineName name) const;
};

/// Assigns the live bytes at the peak of the usage curve to lines by their category: parameters of all
/// copies, gradients, optimizer state with master weights, activations, temporaries, and the KV cache. Logits
/// are the allocations of the finding about them (`findings`, of this device), whatever their category, if it
/// is about this peak. `logged` is what the run's logs report of the GPU. Without such a finding, they are
/// the allocations of exactly the size of one logits tensor in 16 or 32 bits that are not parameters or
/// state. O(allocations + events).
ObservedBudget observedBudget(const Budget& budget, const RunShape& run, const DeviceStudy& study,
    const std::vector<Finding>& findings = {}, const LoggedGpu& logged = {});

/// Returns the number of parameters that the device's memory shows: from the sizes of the trained parameters,
/// which gradients and optimizer state reveal, else from all parameters at the peak. Returns nothing if
/// neither exists. `type` is the type of their elements. Costs a `CategoryEvidence` and a
/// `findParameterSizes`.
std::optional<std::int64_t> observedParameterCount(const DeviceStudy& study, ElementType type);

/// Returns the ratio of observed to expected activations, without activations of earlier steps. Returns
/// nothing if one of the two is missing or 0.
std::optional<double> activationsFactor(const Budget& budget, const ObservedBudget& observed);

} // namespace highwater
