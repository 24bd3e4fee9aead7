#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/budget/run_facts.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/diff/setting_changes.h"
#include "core/base/text_format.h"
#include "core/base/valid_text.h"
#include "core/report/parts/part_tables.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

constexpr std::size_t kLongestValue = 200;

/// A setting: name, value and source.
struct Setting
{
    std::string name;
    std::string value;
    std::string origin;
    bool operator==(const Setting&) const = default;
};

/// Returns the settings of the configuration, the allocator and all files of the run.
std::vector<Setting> settingsOf(const RunMaterial& run)
{
    std::vector<Setting> settings;
    for (const ConfigurationEntry& entry : run.study.parts().settings)
        settings.push_back({entry.name, entry.value, "configuration file"});
    const auto add = [&](const std::string& file, const Trace& trace) {
        for (const auto& [name, value] : trace.metadata.settings)
            settings.push_back({name, value, "allocator, " + file});
        for (const ConfigurationEntry& entry : trace.metadata.configuration)
            settings.push_back({entry.name, entry.value,
                fmt::format(
                    "{}{}", file, entry.line > 0 ? fmt::format(", line {}", formatCount(entry.line)) : "")});
    };
    add(run.study.name(), run.trace());
    for (const AuxiliaryFile& auxiliary : run.study.parts().auxiliaryFiles)
        add(auxiliary.name, *auxiliary.trace);
    return settings;
}

void addAllSettings(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    const std::vector<Setting> settings = foldedLists(settingsOf(run));
    if (settings.empty())
        return;
    Table table{idFor(run, "settings"), captioned(run, "Settings of the run"),
        {{"Setting", "name", false}, {"Value", "value", false}, {"Source", "origin", false}}};
    const std::size_t shownCount = std::min(settings.size(), 2 * material.maxRows());
    for (std::size_t i = 0; i < shownCount; ++i)
        table.rows.push_back({settings[i].name,
            settingCell(settings[i].name, cutText(settings[i].value, kLongestValue)), settings[i].origin});
    if (shownCount < settings.size())
        table.leftOut = fmt::format("and {} more settings", settings.size() - shownCount);
    blocks.push_back(std::move(table));
}

void addDeviceFacts(ReportFacts& facts, const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    const Device& device = study.about();
    facts.rows.emplace_back(
        "Device", device.name.empty() ? device.words() : fmt::format("{}, {}", device.words(), device.name));
    facts.rows.emplace_back("Capacity", run.study.capacity() ? Cell(toText(*run.study.capacity())) : Cell());
    facts.rows.emplace_back("Counts", quantityLabel(study));
    facts.rows.emplace_back("Events", countCell(run.study.figures()->eventCount));
    if (run.study.figures()->span)
        facts.rows.emplace_back("Time span", formatDuration(*run.study.figures()->span));
    facts.rows.emplace_back("Before the first event", bytesCell(run.study.figures()->initialBytes));
    facts.rows.emplace_back("At the peak",
        bytesCell(peakLowerBound(device, *run.study.figures()))
            .show(knownPeakText(study, *run.study.figures())));
    facts.rows.emplace_back("At the end", bytesCell(run.study.figures()->finalBytes));
}

/// Adds what the configuration states of the model and its batches, and the parameters that the budget
/// counts.
void addModelFacts(ReportFacts& facts, const RunMaterial& run)
{
    if (!run.study.parts().shape)
        return;
    const RunShape& shape = *run.study.parts().shape;
    if (const auto type = dtypeOf(shape))
        facts.rows.emplace_back("Weights in", std::string(toText(*type)));
    if (run.study.budget() && run.study.budget()->budget.parameters)
        facts.rows.emplace_back("Parameters", countCell(*run.study.budget()->budget.parameters));
    if (run.study.budget() && run.study.budget()->budget.trainedCount)
        facts.rows.emplace_back("Trained", countCell(*run.study.budget()->budget.trainedCount));
    std::string copies;
    for (const ModelCopy& copy : modelCopies(shape))
        copies += (copies.empty() ? "" : ", ") + std::string(toText(copy.role));
    facts.rows.emplace_back("Copies of the model", textCell(copies));
    if (shape.optimizer)
        facts.rows.emplace_back("Optimizer", std::string(toText(*shape.optimizer)));
    if (const std::optional<Formula> sequences = sequencesPerForward(shape))
        facts.rows.emplace_back("Sequences per forward", countCell(sequences->value()));
    if (shape.sequence)
        facts.rows.emplace_back("Tokens per sequence", countCell(*shape.sequence));
    if (const auto batch = effectiveBatch(shape))
        facts.rows.emplace_back("Sequences per optimizer step", countCell(*batch));
}

/// Returns "The run before: NAME", or the name of a single run.
std::string fullName(const RunMaterial& run)
{
    return run.role.empty() ? run.study.name() : fmt::format("The run {}: {}", run.role, run.study.name());
}

ReportFacts factsOf(const RunMaterial& run)
{
    ReportFacts facts{fullName(run), {}};
    facts.rows.emplace_back("Recorded as", std::string(inWords(run.trace().metadata.kind)));
    for (const auto& [name, value] : run.trace().metadata.producer)
        facts.rows.emplace_back(name, textCell(cutText(value, kLongestValue)));
    if (run.study.device())
        addDeviceFacts(facts, run);
    addModelFacts(facts, run);
    return facts;
}

} // namespace

std::vector<ReportBlock> factsPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    if (material.comparison && !material.comparison->settings.empty())
        blocks.push_back(changedSettings(material));
    else if (material.hasTwoRuns())
        blocks.push_back(paragraph("All settings that both runs record are the same."));
    for (const RunMaterial* run : material.runs()) {
        blocks.push_back(factsOf(*run));
        addAllSettings(blocks, material, *run);
    }
    return blocks;
}

} // namespace highwater
