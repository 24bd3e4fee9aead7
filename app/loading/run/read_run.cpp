#include "app/loading/run/read_run.h"

#include <future>

#include "app/loading/background.h"
#include "app/loading/files/file_hash.h"
#include "app/loading/run/run_reader.h"
#include "core/analysis/diff/common_quantity.h"

namespace highwater {

namespace {

/// Makes the study of a run, with its findings if the options ask for them.
Run studyRun(UnstudiedRun read, Quantity quantity, const RunReadOptions& options)
{
    RunParts& parts = read.parts;
    if (read.device)
        parts.device = std::make_shared<const DeviceStudy>(
            *parts.trace, *read.device, quantity, options.rules, options.steps);
    auto study = std::make_shared<const RunStudy>(std::move(parts));
    if (options.findings)
        study->findings();
    read.run.study = std::move(study);
    return std::move(read.run);
}

/// Returns the quantity of the main file's device.
Quantity ownQuantity(const UnstudiedRun& read)
{
    return read.device ? read.mainDevice().quantity : Quantity::Requested;
}

/// Studies both runs in a quantity that both have (`commonQuantity`). If there is none, each is studied in
/// its own, and `buildReport` refuses to compare them.
Runs studyBoth(UnstudiedRun before, UnstudiedRun after, const RunReadOptions& options)
{
    const std::optional<CommonQuantity> common = before.device && after.device
        ? commonQuantity(before.mainDevice(), after.mainDevice())
        : std::nullopt;
    const auto quantityOf
        = [&](const UnstudiedRun& read) { return common ? common->quantity : ownQuantity(read); };
    const Quantity beforeQuantity = quantityOf(before);
    const Quantity afterQuantity = quantityOf(after);
    auto beforeResult = inBackground([&] { return studyRun(std::move(before), beforeQuantity, options); });
    Runs runs{studyRun(std::move(after), afterQuantity, options), std::nullopt};
    runs.before = beforeResult.get();
    return runs;
}

} // namespace

tl::expected<Runs, RunError> readRuns(
    const RunRequest& files, const RunRequest* before, const RunReadOptions& options)
{
    if (options.hashes)
        prepareHashes();
    RunReadOptions silent = options; // a progress sink may be called from one thread only
    silent.load.progress = nullptr;
    RunReader afterReader(files, options);
    if (!before) {
        if (const auto read = afterReader.read(); !read)
            return tl::unexpected(read.error());
        UnstudiedRun run = afterReader.release("");
        const Quantity quantity = ownQuantity(run);
        run.parts.sideBySide = sideBySide;
        return Runs{studyRun(std::move(run), quantity, options), std::nullopt};
    }
    RunReader beforeReader(*before, silent);
    auto beforeResult = inBackground([&] { return beforeReader.read(); });
    const auto readAfter = afterReader.read();
    if (const auto readBefore = beforeResult.get(); !readBefore)
        return tl::unexpected(readBefore.error());
    if (!readAfter)
        return tl::unexpected(readAfter.error());
    const std::optional<std::int64_t> rank = comparedRank(beforeReader.choice(), afterReader.choice());
    for (RunReader* reader : {&beforeReader, &afterReader})
        if (const auto aligned = reader->alignTo(rank); !aligned)
            return tl::unexpected(aligned.error());
    return studyBoth(beforeReader.release("before"), afterReader.release("after"), options);
}

} // namespace highwater
