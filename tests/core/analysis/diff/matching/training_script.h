#pragma once

#include <memory>
#include <string>

#include <fmt/format.h>

#include "tests/support/trace_from_text.h"

namespace highwater::test {

/// An invented training run: a script that loads a model, and steps of its forward pass; the first step
/// creates optimizer state. Fields set the differences between runs.
struct TrainingScript
{
    std::string script = "/w/train.py";
    std::string model = "/w/model.py"; ///< file of the functions `forward` of block and model
    std::string loop = ""; ///< file of `train_step` and `evaluate`; if empty, the script
    std::string optimizer = "/w/adam.py"; ///< file of a function `step`
    std::string loader = "load_model"; ///< names of functions in the script and its loop
    std::string step = "train_step";
    std::string block = "Block.forward"; ///< names of functions in the model's file
    std::string whole = "forward";
    std::string sitePackages = "/v/lib/python3.11/site-packages";
    int layers = 4;
    int hidden = 96;
    int batch = 8;
    int steps = 3;
    int line = 10; ///< first line of the script that allocates

    std::shared_ptr<const Trace> trace() const { return traceFromText(stacks() + events() + "end\n"); }

private:
    std::string torch(const char* file, const char* function) const
    {
        return fmt::format("{}/torch/{}:7 {}", sitePackages, file, function);
    }

    std::string stacks() const
    {
        const std::string loops = loop.empty() ? script : loop;
        const std::string main
            = fmt::format("{}:{} main | {}:{} <module>", script, line + 30, script, line + 50);
        const std::string inStep = fmt::format("{}:{} {} | {}", loops, line + 10, step, main);
        const std::string forward = fmt::format("{}:40 {} | {}", model, whole, inStep);
        const auto stack = [](const char* name, const std::string& frames) {
            return fmt::format("stack {} = {}\n", name, frames);
        };
        return stack("load",
                   fmt::format("{} | {}:{} {} | {}", torch("nn/module.py", "to"), script, line, loader, main))
            + stack("block",
                fmt::format("{} | {}:20 {} | {}", torch("nn/linear.py", "forward"), model, block, forward))
            + stack("norm",
                fmt::format("{} | {}:22 {} | {}", torch("nn/norm.py", "forward"), model, block, forward))
            + stack("logits", fmt::format("{} | {}", torch("nn/linear.py", "forward"), forward))
            + stack("loss", fmt::format("{} | {}", torch("nn/loss.py", "cross_entropy"), inStep))
            + stack("adam",
                fmt::format("{} | {}:5 step | {}:{} {} | {}", torch("optim/adamw.py", "step"), optimizer,
                    loops, line + 14, step, main))
            + stack("batch", fmt::format("{}:{} get_batch | {}", script, line + 4, main));
    }

    std::string events() const
    {
        std::string text;
        const auto alloc = [&](const std::string& name, int size, const char* stack) {
            text += fmt::format("alloc {} {} @{}\n", name, size, stack);
        };
        const auto parameters = [&](const std::string& name, const char* stack) {
            for (int layer = 0; layer < layers; ++layer) {
                alloc(fmt::format("{}.{}.up", name, layer), hidden * hidden * 16, stack);
                alloc(fmt::format("{}.{}.qkv", name, layer), hidden * hidden * 12, stack);
                alloc(fmt::format("{}.{}.bias", name, layer), hidden * 4, stack);
            }
            alloc(name + ".head", hidden * 4096, stack);
        };
        parameters("p", "load");
        for (int at = 0; at < steps; ++at) {
            alloc("ids", batch * 1024, "batch");
            for (int layer = 0; layer < layers; ++layer) {
                alloc(fmt::format("a{}", layer), batch * hidden * 512, "block");
                alloc(fmt::format("n{}", layer), batch * hidden * 128, "norm");
            }
            alloc("logits", batch * 65'536, "logits");
            alloc("loss", 512, "loss");
            if (at == 0) {
                parameters("m", "adam");
                parameters("v", "adam");
            }
            if (at + 1 == steps)
                break;
            text += "free ids\nfree logits\nfree loss\n";
            for (int layer = 0; layer < layers; ++layer)
                text += fmt::format("free a{}\nfree n{}\n", layer, layer);
        }
        return text;
    }
};

} // namespace highwater::test
