#include "core/analysis/budget/model_state.h"

#include <cmath>

#include <fmt/format.h>

#include "core/analysis/budget/model_weights.h"
#include "core/analysis/budget/run_facts.h"

namespace highwater {

namespace {

/// Elements that share one fp32 constant in 8-bit optimizer states (bitsandbytes).
constexpr std::int64_t kStateBlock = 256;

/// The part of a copy that is trained.
struct TrainedPart
{
    std::int64_t count = 0;
    ElementType type = ElementType::Bf16;
    bool isExtra = false; ///< in addition to the weights: adapters
};

/// Returns the model's weights; empty if its shape is incomplete.
std::vector<WeightGroup> knownWeights(const RunShape& run)
{
    const ModelShape shape = completedShape(run);
    return missingForWeights(shape).empty() ? weightGroups(shape) : std::vector<WeightGroup>();
}

class StateBuilder
{
public:
    StateBuilder(const RunShape& run, const ModelCopy& copy, std::int64_t parameters, ElementType type)
        : m_run(run)
        , m_copy(copy)
        , m_parameters(parameters)
        , m_type(type)
        , m_devices(run.sharding.world)
        , m_isEngine(copy.role == ModelRole::Engine)
    {
        m_trained = trainedPart();
    }

    ModelState build()
    {
        state.trainedCount = m_trained.count;
        state.weights = weights();
        if (m_trained.count > 0) {
            state.gradients = gradients();
            state.masterWeights = masterWeights();
            if (m_run.optimizer)
                state.optimizerState = optimizerState();
        }
        return std::move(state);
    }

    ModelState state;

private:
    bool isOffloaded() const { return m_run.sharding.offload != Sharding::Offload::None; }
    bool hasMaster() const { return m_run.masterWeights.value_or(false); }
    bool isSharded() const { return m_run.sharding.shardsWeights() && !m_isEngine; }
    Formula weightShard(const Formula& unsharded) const
    {
        return isSharded() ? unsharded.over(m_devices) : unsharded;
    }
    Formula optimizerShard(const Formula& unsharded) const
    {
        return m_run.sharding.shardsOptimizer() ? unsharded.over(m_devices) : unsharded;
    }

    TrainedPart trainedPart()
    {
        if (!m_copy.trainable)
            return {};
        if (m_run.loraRank)
            return adapters();
        const bool isExtra = !isTrainable(m_type);
        const ElementType type = isExtra ? ElementType::Fp32 : m_type;
        if (!m_run.trainableShare || *m_run.trainableShare == 1) {
            if (isExtra)
                state.notes.push_back(
                    fmt::format("weights in {} cannot be trained, so they count as bf16", toText(m_type)));
            return {m_parameters, isExtra ? ElementType::Bf16 : m_type, false};
        }
        if (isExtra)
            state.notes.push_back(
                fmt::format("{} weights stay frozen; the trained share is added in fp32", toText(m_type)));
        return {std::llround(static_cast<double>(m_parameters) * *m_run.trainableShare), type, isExtra};
    }

    /// Counts the adapters, which PEFT keeps in fp32 unless told otherwise.
    TrainedPart adapters()
    {
        const std::vector<WeightGroup> modelWeights = knownWeights(m_run);
        if (modelWeights.empty()) {
            state.notes.emplace_back("no adapters are counted, since the model's shape is not given");
            return {};
        }
        state.notes.emplace_back("adapters are assumed on every linear layer and in fp32, as in PEFT");
        const Formula count = adapterParameters(modelWeights, *m_run.loraRank);
        return {count.overflows() ? std::numeric_limits<std::int64_t>::max() : count.value(),
            ElementType::Fp32, true};
    }

    FormulaRange weights()
    {
        if (m_run.sharding.offload == Sharding::Offload::All && !m_isEngine)
            return {};
        const bool isWholeAndTrained = m_trained.count == m_parameters && !m_trained.isExtra;
        const ElementType type = isWholeAndTrained ? m_trained.type : m_type;
        FormulaRange range = FormulaRange::exactly(weightShard(Formula(m_parameters).times(type)));
        if (type == ElementType::Nf4) {
            state.notes.emplace_back("nf4 counts 4.127 bits per parameter (2113/4096 bytes), as with double "
                                     "quantization; the high figure has embeddings in 16 bits");
            range = {weightShard(Formula(m_parameters).over(2)), range.likely, nf4High()};
        }
        if (m_trained.isExtra) {
            const FormulaRange adapters = {weightShard(Formula(m_trained.count) * 2),
                weightShard(Formula(m_trained.count) * 4), weightShard(Formula(m_trained.count) * 4)};
            range = range + adapters;
        }
        return range;
    }

    /// Returns the high figure for nf4: 4.5 bits per parameter without double quantisation, and embeddings in
    /// 16 bits.
    Formula nf4High() const
    {
        const Formula embeddings = embeddingParameters(knownWeights(m_run));
        const std::int64_t embeddingCount
            = embeddings.overflows() || m_copy.parameters ? 0 : std::min(embeddings.value(), m_parameters);
        return weightShard(
            (Formula(m_parameters - embeddingCount) * 9).over(16) + Formula(embeddingCount) * 2);
    }

    FormulaRange gradients() const
    {
        if (isOffloaded())
            return {};
        const Formula count = m_trained.count;
        const Formula unsharded = count.times(m_trained.type);
        const Sharding& sharding = m_run.sharding;
        Formula likely = weightShard(unsharded);
        Formula high = likely;
        const bool isSmall = m_trained.type != ElementType::Fp32;
        const Formula atUpdate = hasMaster() && isSmall ? optimizerShard(count * 4) : Formula();
        if (sharding.kind == Sharding::Kind::Zero2)
            likely = likely + atUpdate;
        else if (sharding.shardsWeights() && !atUpdate.isZero())
            likely = atUpdate; // fp32 gradients of the shard in place of 16-bit ones
        if (sharding.kind == Sharding::Kind::Ddp)
            high = unsharded * 2; // buckets that are copies of the gradients, not views
        else if (sharding.kind == Sharding::Kind::Fsdp && m_run.accumulation.value_or(1) > 1)
            high = unsharded + likely; // whole until the last micro-step
        else if (sharding.shardsOptimizer())
            high = likely + (sharding.kind == Sharding::Kind::Zero1 ? atUpdate : Formula());
        else if (!atUpdate.isZero())
            high = atUpdate; // fp32 gradients in place of 16-bit ones
        return {weightShard(unsharded), likely, high};
    }

    FormulaRange masterWeights() const
    {
        if (!hasMaster() || isOffloaded())
            return {};
        return FormulaRange::exactly(optimizerShard(Formula(m_trained.count) * 4));
    }

    FormulaRange optimizerState()
    {
        if (isOffloaded())
            return {};
        const ElementType type
            = m_run.optimizerDtype.value_or(hasMaster() ? ElementType::Fp32 : m_trained.type);
        const Formula count = m_trained.count;
        const Formula oneState = optimizerShard(count.times(type));
        switch (*m_run.optimizer) {
        case OptimizerKind::AdamW:
            state.stepTemporaries = oneState;
            return FormulaRange::exactly(optimizerShard((count * 2).times(type)));
        case OptimizerKind::AdamWFused: return FormulaRange::exactly(optimizerShard((count * 2).times(type)));
        case OptimizerKind::AdamW8bit: return eightBitState(2);
        case OptimizerKind::Lion8bit: return eightBitState(1);
        case OptimizerKind::PagedAdamW:
            state.notes.emplace_back("the state of a paged optimizer is in managed memory, outside PyTorch");
            return {{}, {}, optimizerShard((count * 2).times(type))};
        case OptimizerKind::Adafactor: return adafactorState();
        case OptimizerKind::Muon: return muonState(type);
        case OptimizerKind::RmsProp: state.stepTemporaries = oneState; return FormulaRange::exactly(oneState);
        case OptimizerKind::Lion:
        case OptimizerKind::SgdMomentum: return FormulaRange::exactly(oneState);
        case OptimizerKind::Sgd:
        case OptimizerKind::None: return {};
        }
        return {};
    }

    /// Returns one byte per parameter and state. The high figure adds the constants of their blocks.
    FormulaRange eightBitState(std::int64_t stateCount) const
    {
        const Formula bytes = Formula(m_trained.count) * stateCount;
        return {optimizerShard(bytes), optimizerShard(bytes),
            optimizerShard(bytes + (bytes * 4).over(kStateBlock))};
    }

    /// Counts a momentum for each matrix of the layers, and Adam's two values for all other weights (Jordan
    /// et al., https://kellerjordan.github.io/posts/muon/); one value for each parameter if only a part of
    /// the model is trained. The orthogonalisation has three 16-bit copies of a matrix.
    FormulaRange muonState(ElementType type)
    {
        const Formula all = m_trained.count;
        Formula others;
        Formula largest;
        for (const WeightGroup& group : knownWeights(m_run)) {
            if (group.kind == WeightGroup::Kind::Embedding || group.kind == WeightGroup::Kind::Vector)
                others = others + Formula(group.rows) * group.columns * group.count;
            else if (const Formula matrix = Formula(group.rows) * group.columns;
                     matrix.value() > largest.value())
                largest = matrix;
        }
        state.stepTemporaries = largest * 6;
        const Formula one = optimizerShard(all.times(type));
        const bool isWhole = m_trained.count == m_parameters && !m_copy.parameters && !others.overflows()
            && others.value() <= m_trained.count;
        return {one, isWhole ? optimizerShard((all + others).times(type)) : one,
            optimizerShard((all * 2).times(type))};
    }

    /// Counts the rows and columns of each matrix, and in the high figure a full first moment. Without a
    /// shape, or if only a part of the model is trained, counts a full moment.
    FormulaRange adafactorState()
    {
        const Formula fullMoment = optimizerShard(Formula(m_trained.count) * 4);
        const std::vector<WeightGroup> modelWeights = knownWeights(m_run);
        const bool isWhole = m_trained.count == m_parameters && !m_copy.parameters;
        if (modelWeights.empty() || !isWhole) {
            state.notes.emplace_back(
                "Adafactor's factored state needs the model's shape; a full moment of 4 bytes is counted");
            return {Formula(), fullMoment, fullMoment};
        }
        // Its step has the squared gradient and the update of one parameter in fp32 (transformers,
        // optimization.py).
        const Formula largest = largestMatrix(modelWeights);
        state.stepTemporaries = largest.overflows() ? Formula() : Formula(largest.value()) * 8;
        const Formula factored = optimizerShard(Formula(factoredMomentElements(modelWeights).value()) * 4);
        return {factored, factored, factored + fullMoment};
    }

    const RunShape& m_run;
    const ModelCopy& m_copy;
    std::int64_t m_parameters;
    ElementType m_type;
    std::int64_t m_devices;
    bool m_isEngine;
    TrainedPart m_trained;
};

} // namespace

ModelState modelState(const RunShape& run, const ModelCopy& copy, std::int64_t parameters, ElementType type)
{
    return StateBuilder(run, copy, parameters, type).build();
}

} // namespace highwater
