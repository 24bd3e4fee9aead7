#pragma once

#include <memory>
#include <string>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater::test {

/// Returns the trace of a file in samples/pytorch-snapshot, given its name without endings.
inline std::shared_ptr<const Trace> snapshotTrace(const std::string& name)
{
    return openTrace(snapshotPath(name), {})->trace;
}

} // namespace highwater::test
