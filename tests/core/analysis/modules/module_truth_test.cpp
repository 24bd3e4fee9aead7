#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/modules/module_table.h"
#include "importers/registry/open_trace.h"
#include "tests/support/labels/recording_labels.h"
#include "tests/support/sample_files.h"

/// Compares the modules that are found with recordings whose labels state which module made each allocation.
namespace highwater {

namespace {

/// The rest is the backward of modules that free nothing, which is attributed to a module that does.
constexpr double kRight = 0.95;

/// Bytes allocated by modules in a recording, by how they were attributed.
struct Placement
{
    Bytes made = 0; ///< allocated by modules according to the labels
    Bytes right = 0;
    Bytes none = 0; ///< attributed to no module
    Bytes wrong = 0; ///< attributed to another module, or to one although none allocated them
    std::map<ModuleSource, std::pair<Bytes, Bytes>> bySource; ///< correct bytes and all bytes

    double share(Bytes bytes) const { return static_cast<double>(bytes) / static_cast<double>(made); }
    /// Returns the correct share in percent of the bytes that this source attributed.
    std::string shareOf(ModuleSource source) const
    {
        const auto found = bySource.find(source);
        return found == bySource.end()
            ? "–"
            : fmt::format("{:.1f} %",
                100 * static_cast<double>(found->second.first) / static_cast<double>(found->second.second));
    }
    /// Returns a row of the table in samples/README.md.
    std::string row(const std::string& name) const
    {
        return fmt::format("| `{}` | {:.1f} % | {:.1f} % | {:.1f} % | {} | {} | {} |", name,
            100 * share(right), 100 * share(none), 100 * share(wrong), shareOf(ModuleSource::Label),
            shareOf(ModuleSource::Frames), shareOf(ModuleSource::Backward));
    }
};

/// Returns the name of each module in the model. Highwater names modules by their code, so the name with the
/// most bytes is used.
std::map<ModuleId, std::string> meantNames(
    const ModuleTable& modules, const DeviceStudy& study, const test::RecordingLabels& labels)
{
    std::map<ModuleId, std::map<std::string, Bytes>> bytes;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        if (!modules.of(i).isNone() && modules.source(i) != ModuleSource::Backward)
            bytes[modules.of(i)][labels.makerOf(i)] += study.allocations.bytes(i);
    std::map<ModuleId, std::string> names;
    for (const auto& [module, byName] : bytes)
        names[module]
            = std::ranges::max_element(byName, {}, [](const auto& entry) { return entry.second; })->first;
    return names;
}

std::string_view around(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

/// True if the attribution is correct. Backward allocations are attributed to the module that contains all
/// candidates. A module that allocates nothing in forward has no known name, but its siblings have.
bool isWithin(const ModuleTable& modules, const std::map<ModuleId, std::string>& names,
    const std::string& maker, ModuleId found, ModuleSource source)
{
    if (found.isNone())
        return false;
    for (const auto& [module, name] : names)
        if (source == ModuleSource::Backward
                ? (name == maker || around(name) == around(maker)) && modules.commonOf(module, found) == found
                : name == maker && module == found)
            return true;
    return false;
}

Placement place(const std::string& name)
{
    const auto trace = openTrace(test::samplePath("rehearsed/" + name + ".pickle.zst"), {})->trace;
    const DeviceStudy study(*trace, 0);
    const test::RecordingLabels labels(test::samplePath("rehearsed/" + name + ".labels.json.zst"), study);
    const ModuleTable modules(*trace, study.allocations, study.sites);
    std::map<ModuleId, std::string> names = meantNames(modules, study, labels);
    Placement result;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i) {
        const std::string maker = labels.makerOf(i);
        const ModuleId found = modules.of(i);
        const Bytes bytes = study.allocations.bytes(i);
        if (maker.empty() && found.isNone())
            continue;
        result.made += bytes;
        const bool isRight = isWithin(modules, names, maker, found, modules.source(i));
        (found.isNone() ? result.none : isRight ? result.right : result.wrong) += bytes;
        if (!found.isNone()) {
            auto& [right, all] = result.bySource[modules.source(i)];
            right += isRight ? bytes : 0;
            all += bytes;
        }
    }
    return result;
}

} // namespace

class MadeByModules : public testing::TestWithParam<std::string>
{
};

TEST_P(MadeByModules, IsInTheRightModuleOrInNone)
{
    const Placement found = place(GetParam());
    EXPECT_GE(found.share(found.right + found.none), kRight) << found.row(GetParam());
    const std::string readme = test::readWholeFile(test::samplePath("README.md"));
    EXPECT_NE(readme.find(found.row(GetParam())), std::string::npos) << "the README lacks:\n"
                                                                     << found.row(GetParam());
}

INSTANTIATE_TEST_SUITE_P(ModuleTable, MadeByModules,
    testing::Values("labelled-modules", "modules-checkpoint", "modules-cnn", "modules-gpt", "modules-trainer",
        "modules-unet"));

} // namespace highwater
