#include "app/loading/recording_recipes.h"

#include <algorithm>
#include <array>

#include "core/base/embedded_resource.h"

namespace highwater {

namespace {

struct Recipe
{
    std::string_view framework;
    std::string_view lines;
};

constexpr std::string_view kLoop = R"(import highwater_gpu

with highwater_gpu.record():         # before the model is created
    model = build_model()
    for batch in loader:
        highwater_gpu.step()         # marks the start of a step
)";

constexpr std::string_view kTrainer = R"(import highwater_gpu

highwater_gpu.record().start()       # before the model is loaded
model = AutoModelForCausalLM.from_pretrained(name)
trainer = Trainer(model, ..., callbacks=[highwater_gpu.transformers_callback()])
)";

constexpr std::array<Recipe, 7> kRecipes = {{
    {"torch", kLoop},
    {"transformers", kTrainer},
    {"trl", R"(import highwater_gpu

highwater_gpu.record().start()       # before the policy is loaded
trainer = GRPOTrainer(model=name, ..., callbacks=[highwater_gpu.transformers_callback()])
)"},
    {"accelerate", R"(import highwater_gpu

with highwater_gpu.record():         # before the model is created
    accelerator = Accelerator()
    model = build_model()
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        highwater_gpu.step()         # marks the start of a step
)"},
    {"lightning", R"(import highwater_gpu

highwater_gpu.record().start()       # before the model is created
model = build_model()
trainer = Trainer(..., callbacks=[highwater_gpu.lightning_callback()])
trainer.fit(model, loader)
)"},
    {"deepspeed", R"(import highwater_gpu

with highwater_gpu.record():         # before initialize, which makes the flat buffers of ZeRO
    model = build_model()
    engine, optimizer, _, _ = deepspeed.initialize(model=model, config=config)
    for batch in loader:
        highwater_gpu.step()         # marks the start of a step
)"},
    {"torchtitan",
        R"(# The script stays as it is; the recorder starts it:
torchrun --nproc-per-node 8 -m highwater_gpu.run -m torchtitan.train --module llama3 --config llama3_8b
# With the recorder as one file:
#   torchrun --nproc-per-node 8 record_memory.py -m torchtitan.train --module llama3 --config llama3_8b
)"},
}};

const Recipe* recipeFor(std::string_view framework)
{
    const auto* const found = std::ranges::find(kRecipes, framework, &Recipe::framework);
    return found == kRecipes.end() ? nullptr : found;
}

/// False for imports of the package's own modules, all of which are in the one file, and for repeated `from
/// __future__` lines.
bool isNeededInOneFile(std::string_view line, bool isFirstModule)
{
    return !line.starts_with("from .") && (isFirstModule || !line.starts_with("from __future__ "));
}

} // namespace

const std::vector<std::string>& recordingFrameworks()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> found;
        for (const Recipe& recipe : kRecipes)
            found.emplace_back(recipe.framework);
        return found;
    }();
    return names;
}

std::optional<std::string> recordingLines(std::string_view framework)
{
    const Recipe* const recipe = recipeFor(framework);
    return recipe != nullptr ? std::optional(std::string(recipe->lines)) : std::nullopt;
}

std::string standAloneRecorder()
{
    std::string recorder;
    // The module that explains the file comes first.
    for (const std::string_view module : {"recorder", "signals", "callbacks", "run"}) {
        const std::string name = "../app/python/highwater_gpu/" + std::string(module) + ".py";
        std::string_view text = embeddedResource(name).value_or("");
        const bool isFirst = recorder.empty();
        if (!isFirst)
            recorder += "\n\n";
        while (!text.empty()) {
            const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
            if (isNeededInOneFile(text, isFirst))
                recorder += text.substr(0, length);
            text.remove_prefix(length);
        }
    }
    return recorder;
}

} // namespace highwater
