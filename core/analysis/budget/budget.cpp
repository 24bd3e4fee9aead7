#include "core/analysis/budget/budget.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/budget/activation_bytes.h"
#include "core/analysis/budget/gpu_fit.h"
#include "core/analysis/budget/model_state.h"
#include "core/analysis/budget/run_facts.h"
#include "core/analysis/budget/temporary_bytes.h"
#include "core/base/text_format.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

using Name = BudgetLineName;

/// Copies that the loss makes of the logits by the time of its backward, besides the logits themselves, which
/// the caller still holds: the log-softmax (saved), the gradient of the negative log likelihood, and that of
/// the log-softmax, which are live together (PyTorch: derivatives.yaml, `_log_softmax` and
/// `nll_loss_forward`; LossNLL.cpp fills a whole gradient). The loss of transformers computes them in fp32
/// (loss_utils.py: `logits.float()`), as autocast does.
constexpr std::int64_t kLossCopies = 3;
constexpr std::int64_t kLossBytes = 4;

class BudgetBuilder
{
public:
    explicit BudgetBuilder(const RunShape& run)
        : m_run(run)
    {
    }

    Result<Budget> build()
    {
        std::vector<std::string> missing;
        const Result<std::optional<std::int64_t>> count = parameterCount(m_run, missing);
        if (!count)
            return tl::unexpected(count.error());
        m_budget.parameters = *count;
        m_missingForParameters = std::move(missing);
        for (const ModelCopy& copy : modelCopies(m_run))
            addCopy(copy);
        addActivations();
        addLogits();
        addKeyValueCache();
        addTemporary();
        if (m_run.outsideBytes)
            add(Name::Outside, FormulaRange::exactly(*m_run.outsideBytes));
        else
            leaveOut(Name::Outside, {"outside_bytes"});
        return finish();
    }

private:
    void add(Name name, const FormulaRange& range)
    {
        std::optional<FormulaRange>& line = m_lines[static_cast<std::size_t>(name)];
        line = line ? *line + range : range;
    }

    void leaveOut(Name name, std::vector<std::string> missing)
    {
        if (std::ranges::any_of(m_budget.leftOut, [name](const LeftOutLine& l) { return l.name == name; }))
            return;
        const std::string title = name == Name::Outside
            ? fmt::format(
                "CUDA context and NCCL, usually 300 MiB to 2 GiB; the comparison with GPUs adds {} for the "
                "context and nothing for NCCL",
                formatBytes(kUsualOutsideBytes))
            : std::string(titleOf(name));
        std::string sentence = fmt::format("{}; set {} to include {}", title, fmt::join(missing, ", "),
            name == Name::Outside ? "them" : "this line");
        m_budget.leftOut.push_back({name, std::move(missing), std::move(sentence)});
    }

    void assume(const std::string& sentence)
    {
        if (std::ranges::find(m_budget.assumptions, sentence) == m_budget.assumptions.end())
            m_budget.assumptions.push_back(sentence);
    }

    static Name lineOf(ModelRole role)
    {
        switch (role) {
        case ModelRole::Policy: return Name::Parameters;
        case ModelRole::Critic: return Name::Critic;
        case ModelRole::Engine: return Name::Engine;
        case ModelRole::Reference:
        case ModelRole::Reward: return Name::ReferenceModel;
        }
        return Name::Parameters;
    }

    void addCopy(const ModelCopy& copy)
    {
        const std::optional<std::int64_t> parameters
            = copy.parameters ? copy.parameters : m_budget.parameters;
        const std::optional<ElementType> type = dtypeOf(m_run, copy);
        if (!parameters || !type) {
            leaveOutCopy(copy, parameters.has_value(), type.has_value());
            return;
        }
        const ModelState state = modelState(m_run, copy, *parameters, *type);
        m_partsOfLine[static_cast<std::size_t>(lineOf(copy.role))].push_back(
            {state.weights.likely.value(), state.gradients.likely.value(),
                state.masterWeights.likely.value() + state.optimizerState.likely.value()});
        for (const std::string& note : state.notes)
            assume(note);
        if (copy.role == ModelRole::Policy)
            addPolicy(copy, state);
        else
            add(lineOf(copy.role),
                state.weights + state.gradients + state.masterWeights + state.optimizerState);
        if (copy.trainable && !m_run.optimizer)
            leaveOut(Name::OptimizerState, {"optimizer"});
    }

    void addPolicy(const ModelCopy& copy, const ModelState& state)
    {
        add(Name::Parameters, state.weights);
        if (!copy.trainable)
            return;
        m_budget.trainedCount = state.trainedCount;
        m_stepTemporaries = m_stepTemporaries + state.stepTemporaries;
        add(Name::Gradients, state.gradients);
        if (m_run.masterWeights.value_or(false))
            add(Name::MasterWeights, state.masterWeights);
        if (m_run.optimizer)
            add(Name::OptimizerState, state.optimizerState);
    }

    void leaveOutCopy(const ModelCopy& copy, bool hasParameters, bool hasType)
    {
        std::vector<std::string> missing
            = hasParameters ? std::vector<std::string>() : m_missingForParameters;
        if (!hasType)
            missing.emplace_back("dtype");
        leaveOut(lineOf(copy.role), missing);
        if (copy.role != ModelRole::Policy || !copy.trainable)
            return;
        leaveOut(Name::Gradients, missing);
        if (!m_run.optimizer)
            missing.emplace_back("optimizer");
        leaveOut(Name::OptimizerState, missing);
    }

    void addActivations()
    {
        if (m_run.activationsBytes) {
            add(Name::Activations, FormulaRange::exactly(*m_run.activationsBytes));
            return;
        }
        if (!trains(m_run)) {
            assume("nothing is trained: no activations are kept");
            return;
        }
        if (std::vector<std::string> missing = missingForActivations(m_run); !missing.empty()) {
            leaveOut(Name::Activations, std::move(missing));
            return;
        }
        add(Name::Activations, activationBytes(m_run));
        if (!m_run.attention)
            assume(attentionOf(m_run) == AttentionKind::Math
                    ? "math attention is assumed: PyTorch has no other kernel for bf16 on this GPU"
                    : "flash attention is assumed; the high figure includes a matrix of scores");
        if (m_lines[static_cast<std::size_t>(Name::Gradients)])
            assume("the sum adds all gradients to all activations; if gradients are freed before forward, "
                   "both are never all in memory at once, and the peak is lower");
        if (!m_run.checkpointing)
            assume("activations are counted without checkpointing");
        if (completedShape(m_run).family == ModelFamily::T5)
            assume("the decoder's sequences are assumed to be as long as the encoder's");
    }

    void addLogits()
    {
        const std::optional<Formula> elements = logitsElements(m_run);
        const std::optional<ElementType> type = m_run.logitsDtype ? m_run.logitsDtype : activationType(m_run);
        if (!elements || !type) {
            leaveOut(Name::Logits,
                missingAmong({{"batch", m_run.batch.has_value()}, {"seq_len", m_run.sequence.has_value()},
                    {"vocab", m_run.shape.vocab.has_value()}, {"logits_dtype", type.has_value()}}));
            return;
        }
        const Formula oneCopy = elements->times(*type);
        if (m_run.logitsCopies) {
            add(Name::Logits,
                FormulaRange::exactly(*m_run.logitsCopies == 1 ? oneCopy : oneCopy * *m_run.logitsCopies));
            return;
        }
        // At most five copies in fp32: losses that shift the logits make one more.
        const Formula highest = *elements * (kLossCopies + 2) * kLossBytes;
        add(Name::Logits, {oneCopy, trains(m_run) ? lossBytes(*elements, *type) : oneCopy, highest});
        assume(trains(m_run) ? fmt::format(
                   "logits, their log-softmax and both gradients of the loss are counted{} (at least one "
                   "of them, at most {} bytes per element)",
                   m_run.logitsDtype ? "" : ", those of the loss in fp32", (kLossCopies + 2) * kLossBytes)
                             : "one tensor of logits is counted, since nothing is trained");
    }

    /// Returns the bytes of the logits and of what the loss makes of them. A given type of the logits is also
    /// that of the loss.
    Formula lossBytes(const Formula& elements, ElementType type) const
    {
        if (m_run.logitsDtype)
            return elements.times(type) * (kLossCopies + 1);
        return elements * (bytesOf(type).numerator + kLossCopies * kLossBytes);
    }

    /// Returns the tokens that the cache holds: the given number, else all tokens of the batch.
    std::optional<Formula> cachedTokens() const
    {
        if (m_run.keyValueTokens)
            return Formula(*m_run.keyValueTokens);
        const std::optional<Formula> sequences = sequencesPerForward(m_run);
        if (!sequences || !m_run.sequence)
            return std::nullopt;
        return *sequences * *m_run.sequence;
    }

    void addKeyValueCache()
    {
        const auto copies = modelCopies(m_run);
        const auto engine = std::ranges::find(copies, ModelRole::Engine, &ModelCopy::role);
        const bool hasEngine = engine != copies.end();
        const bool mayCache = trains(m_run) && m_run.useCache.value_or(true)
            && m_run.checkpointing.value_or(Checkpointing::None) == Checkpointing::None;
        if (!hasEngine && !m_run.keyValueTokens && !mayCache)
            return;
        const ModelShape shape = completedShape(m_run);
        const std::optional<Formula> tokens = cachedTokens();
        std::optional<ElementType> type = hasEngine ? dtypeOf(m_run, *engine) : dtypeOf(m_run);
        std::vector<std::string> missing = missingAmong({{"kv_cache_tokens", tokens.has_value()},
            {"layers", shape.layers.has_value()}, {"kv_heads", effectiveKeyValueHeads(shape).has_value()},
            {"head_dim", effectiveHeadSize(shape).has_value()}, {"dtype", type.has_value()}});
        if (!missing.empty()) {
            if (hasEngine || m_run.keyValueTokens)
                leaveOut(Name::KvCache, std::move(missing));
            return;
        }
        if (type == ElementType::Nf4 || type == ElementType::Int8)
            type = ElementType::Bf16; // only weights are quantised, not the cache
        const std::int64_t layers = effectiveDecoderLayers(shape).value_or(*shape.layers);
        const Formula perToken
            = (Formula(2) * layers * *effectiveKeyValueHeads(shape) * *effectiveHeadSize(shape)).times(*type);
        if (hasEngine || m_run.keyValueTokens) {
            add(Name::KvCache, FormulaRange::exactly(perToken * *tokens));
            return;
        }
        // `DynamicLayer.update` of transformers copies keys and values (cache_utils.py: `torch.cat`). The
        // originals live on only in models like GPT-2, whose queries, which backward needs, share their
        // tensor.
        const bool isCopied = m_run.useCache.value_or(false) && shape.family == ModelFamily::Gpt2;
        add(Name::KvCache, {{}, isCopied ? perToken * *tokens : Formula(), perToken * *tokens});
        if (!isCopied)
            assume(m_run.useCache
                    ? "the KV cache is counted once, among the activations that backward needs"
                    : "no KV cache is counted; the high figure includes keys and values of all tokens");
    }

    void addTemporary()
    {
        const auto& activations = m_lines[static_cast<std::size_t>(Name::Activations)];
        const auto& logits = m_lines[static_cast<std::size_t>(Name::Logits)];
        std::optional<Formula> forward;
        if (activations)
            forward = activations->likely + (logits ? logits->likely : Formula());
        const TemporaryBytes temporary
            = temporaryBytes(m_run, m_budget.parameters, m_stepTemporaries, forward);
        if (temporary.isLayerMissing)
            leaveOut(Name::Temporary, {"largest_layer"});
        else if (!temporary.range.high.isZero())
            add(Name::Temporary, temporary.range);
        if (!m_stepTemporaries.isZero())
            assume(fmt::format("the optimizer is not fused, so its step has {} of temporaries; only the part "
                               "that exceeds activations and logits counts",
                formatBytes(m_stepTemporaries.value())));
    }

    Result<Budget> finish()
    {
        FormulaRange sum;
        for (const Name name : budgetLineNames()) {
            const std::optional<FormulaRange>& range = m_lines[static_cast<std::size_t>(name)];
            if (!range)
                continue;
            for (const Formula* const formula : {&range->low, &range->likely, &range->high})
                if (formula->overflows())
                    return overflowError(titleOf(name), *formula);
            m_budget.lines.push_back({name, *range});
            setParts(m_budget.lines.back());
            sum = {
                Formula((sum.low + range->low).value()), sum.likely + range->likely, sum.high + range->high};
            if (sum.high.overflows())
                return overflowError("the sum", sum.high);
        }
        m_budget.low = sum.low.value();
        m_budget.expected = sum.likely.value();
        m_budget.high = sum.high.value();
        std::ranges::sort(m_budget.leftOut, {}, &LeftOutLine::name);
        return std::move(m_budget);
    }

    void setParts(BudgetLine& line) const
    {
        if (line.name == Name::Gradients)
            line.gradients = line.likely();
        if (line.name == Name::OptimizerState || line.name == Name::MasterWeights)
            line.optimizer = line.likely();
        for (const Parts& parts : m_partsOfLine[static_cast<std::size_t>(line.name)]) {
            line.weights += parts.weights;
            if (line.name == Name::Parameters)
                continue; // gradients and optimizer state have lines of their own
            line.gradients += parts.gradients;
            line.optimizer += parts.optimizer;
        }
    }

    static tl::unexpected<Error> overflowError(std::string_view subject, const Formula& formula)
    {
        return fail(ErrorCode::Malformed,
            fmt::format("needs more bytes than can be counted (2^63) for {}: {}", subject,
                quotedText(formula.text())));
    }

    struct Parts
    {
        Bytes weights;
        Bytes gradients;
        Bytes optimizer;
    };

    const RunShape& m_run;
    Budget m_budget;
    std::vector<std::string> m_missingForParameters; ///< settings without which parameters cannot be counted
    Formula m_stepTemporaries;
    std::array<std::optional<FormulaRange>, kBudgetLineCount> m_lines;
    std::array<std::vector<Parts>, kBudgetLineCount> m_partsOfLine; ///< parts of the copies on each line
};

} // namespace

const BudgetLine* Budget::find(BudgetLineName name) const
{
    const auto found = std::ranges::find(lines, name, &BudgetLine::name);
    return found == lines.end() ? nullptr : &*found;
}

Bytes Budget::expectedInPyTorch() const
{
    const BudgetLine* const outside = find(BudgetLineName::Outside);
    return outside ? expected - outside->likely() : expected;
}

std::optional<Formula> logitsElements(const RunShape& run)
{
    const std::optional<Formula> sequences = sequencesPerForward(run);
    if (!sequences || !run.sequence || !run.shape.vocab)
        return std::nullopt;
    return *sequences * *run.sequence * *run.shape.vocab;
}

Result<Budget> expectedBudget(const RunShape& run)
{
    return BudgetBuilder(run).build();
}

} // namespace highwater
