#pragma once

#include <memory>
#include <string>

#include "core/report/build_report.h"

namespace highwater::test {

/// A run of one trace, as far as a report needs it.
struct RunOfReport
{
    explicit RunOfReport(std::shared_ptr<const Trace> trace, const std::string& name = "run.pickle")
    {
        run.name = name;
        run.trace = trace;
        ReportSource source;
        source.path = "folder/" + name;
        source.format = trace->metadata.format;
        source.trace = trace;
        run.sources.push_back(std::move(source));
        if (trace->devices.empty())
            return;
        study = std::make_unique<DeviceStudy>(*trace, 0);
        run.study = study.get();
    }

    ReportRun run;
    std::unique_ptr<DeviceStudy> study;
};

inline Report reportOf(const RunOfReport& run, const Notes& notes = {}, const ReportOptions& options = {})
{
    return *buildReport({run.run, nullptr, notes, "notes.json", options});
}

inline Report reportOf(const RunOfReport& before, const RunOfReport& after, const Notes& notes = {},
    const ReportOptions& options = {})
{
    return *buildReport({after.run, &before.run, notes, "notes.json", options});
}

} // namespace highwater::test
