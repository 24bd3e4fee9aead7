#include "app/loading/run/sweep_file.h"

#include "app/loading/run/run_assembly.h"

namespace highwater {

Result<SweepRun> sweepRun(const std::string& path, const Result<ImportedTrace>& file,
    const std::vector<CategoryRule>& rules, std::optional<Quantity> quantity)
{
    if (!file)
        return tl::unexpected(file.error());
    Result<RunParts> parts = partsOf(path, *file, {std::nullopt, quantity, rules, {}});
    if (!parts)
        return tl::unexpected(parts.error());
    const RunStudy study(*std::move(parts));
    SweepRun run = sweepRun(path, *study.device(), *study.figures());
    run.isIncomplete = file->incomplete.has_value();
    return run;
}

} // namespace highwater
