#include "app/loading/recording_recipes.h"

#include <algorithm>

#include "core/base/embedded_resource.h"

namespace highwater {

namespace {

/// Files of resources/record/ after record_memory.py, which is the beginning of all.
struct Recipe
{
    std::string framework;
    std::vector<std::string_view> parts;
};

const std::vector<Recipe>& recipes()
{
    static const std::vector<Recipe> all = {
        {"torch", {"for_torch.py"}},
        {"transformers", {"for_transformers.py", "trainer_callback.py"}},
        {"trl", {"for_trl.py", "trainer_callback.py"}},
        {"accelerate", {"for_accelerate.py"}},
        {"lightning", {"for_lightning.py"}},
        {"deepspeed", {"for_deepspeed.py"}},
        {"torchtitan", {"for_torchtitan.py"}},
    };
    return all;
}

std::string partText(std::string_view name)
{
    return std::string(embeddedResource("record/" + std::string(name)).value_or(""));
}

} // namespace

const std::vector<std::string>& recordingFrameworks()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> found;
        for (const Recipe& recipe : recipes())
            found.push_back(recipe.framework);
        return found;
    }();
    return names;
}

std::optional<std::string> recordingRecipe(std::string_view framework)
{
    const auto recipe = std::ranges::find(recipes(), framework, &Recipe::framework);
    if (recipe == recipes().end())
        return std::nullopt;
    std::string text = partText("record_memory.py");
    for (const std::string_view part : recipe->parts)
        text += partText(part);
    return text;
}

} // namespace highwater
