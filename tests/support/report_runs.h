#pragma once

#include <memory>
#include <string>

#include "core/report/build_report.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater::test {

/// The parts of a run of one trace that a report needs. They may be changed until `run` is called.
struct RunOfReport
{
    explicit RunOfReport(std::shared_ptr<const Trace> trace, const std::string& name = "run.pickle")
    {
        parts.name = name;
        parts.trace = trace;
        ReportSource source;
        source.path = "folder/" + name;
        source.format = toText(trace->metadata.kind);
        source.trace = trace;
        sources.push_back(std::move(source));
        if (!trace->devices.empty())
            parts.device = std::make_shared<const DeviceStudy>(*trace, 0);
    }

    ReportRun run() const { return {std::make_shared<const RunStudy>(parts), sources}; }

    RunParts parts;
    std::vector<ReportSource> sources;
};

/// Returns the run of a sample, given its name for `samplePath`.
inline RunOfReport runOfSample(const std::string& name)
{
    return RunOfReport(openTrace(samplePath(name), {})->trace, name.substr(name.rfind('/') + 1));
}

/// Returns options with everything that a report can contain.
inline ReportOptions fullReport()
{
    ReportOptions options;
    options.isFull = true;
    return options;
}

inline Report reportOf(
    const RunOfReport& run, const Notes& notes = {}, const ReportOptions& options = fullReport())
{
    return *buildReport({run.run(), nullptr, notes, "notes.json", options});
}

inline Report reportOf(const RunOfReport& before, const RunOfReport& after, const Notes& notes = {},
    const ReportOptions& options = fullReport())
{
    const ReportRun runBefore = before.run();
    return *buildReport({after.run(), &runBefore, notes, "notes.json", options});
}

} // namespace highwater::test
