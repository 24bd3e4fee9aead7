#pragma once

#include <string>

#include "importers/registry/open_trace.h"
#include "tests/support/piecewise_source.h"

namespace highwater::test {

/// Imports bytes as the content of a file, at most `piece` bytes per read.
inline Result<ImportedTrace> importBytes(
    std::string bytes, std::size_t piece = 1 << 20, const ImportOptions& options = {})
{
    return importTrace(std::make_unique<PiecewiseSource>(std::move(bytes), piece), options);
}

} // namespace highwater::test
