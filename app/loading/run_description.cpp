#include "app/loading/run_description.h"

#include <set>
#include <string_view>

#include "app/loading/configuration_file.h"
#include "app/loading/run_shape_file.h"
#include "core/analysis/budget/gpu_fit.h"

namespace highwater {

namespace {

/// Adds the sizes of the model under the names of a Hugging Face configuration.
void addModel(std::vector<ConfigurationEntry>& settings, const ModelShape& model)
{
    const auto add = [&](const char* name, std::optional<std::int64_t> value) {
        if (value)
            settings.push_back({name, std::to_string(*value), "json", 0});
    };
    add("vocab_size", model.vocab);
    add("hidden_size", model.hidden);
    add("num_attention_heads", model.heads);
    add("num_key_value_heads", effectiveKeyValueHeads(model));
    add("head_dim", effectiveHeadSize(model));
    add("intermediate_size", effectiveIntermediate(model));
    add("n_positions", model.positions);
}

} // namespace

Result<RunDescription> loadRunDescription(const std::string& path)
{
    Result<std::vector<ConfigurationEntry>> settings = loadConfiguration(path);
    if (!settings)
        return tl::unexpected(settings.error());
    RunDescription description;
    description.settings = *std::move(settings);
    const Result<RunShape> run = loadRunShape(path);
    if (!run) {
        description.shapeTrouble = toText(run.error());
        return description;
    }
    description.shape = *run;
    addModel(description.settings, run->shape);
    const Result<std::vector<GpuModel>> gpus = chooseGpus(run->gpus);
    if (gpus && gpus->size() == 1)
        description.capacity = chosenCapacity(gpus->front());
    return description;
}

void removeRecordedSettings(std::vector<ConfigurationEntry>& settings, const Trace& trace)
{
    std::set<std::string_view> recorded;
    for (const ConfigurationEntry& entry : trace.metadata.configuration)
        recorded.insert(entry.name);
    std::erase_if(settings, [&](const ConfigurationEntry& entry) { return recorded.contains(entry.name); });
}

} // namespace highwater
