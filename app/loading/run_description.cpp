#include "app/loading/run_description.h"

#include "app/loading/configuration_file.h"
#include "app/loading/run_shape_file.h"
#include "core/analysis/budget/card_fit.h"

namespace highwater {

Result<RunDescription> loadRunDescription(const std::string& path)
{
    Result<std::vector<ConfigurationEntry>> settings = loadConfiguration(path);
    if (!settings)
        return tl::unexpected(settings.error());
    RunDescription description{*std::move(settings), std::nullopt};
    const Result<RunShape> run = loadRunShape(path);
    if (!run)
        return description;
    if (run->shape.vocab)
        description.settings.push_back({"vocab_size", std::to_string(*run->shape.vocab), "json", 0});
    const Result<std::vector<GpuCard>> cards = chooseCards(run->gpus);
    if (cards && cards->size() == 1)
        description.capacity
            = DeviceCapacity{cards->front().leastReported, CapacitySource::Chosen, cards->front().name, -1};
    return description;
}

} // namespace highwater
