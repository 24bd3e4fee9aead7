#pragma once

#include <string>

#include "core/base/result.h"
#include "core/run/run_shape.h"

namespace highwater {

/// Reads a run's configuration as numbers (`parseRunShape`) from a JSON or YAML file, with the model's
/// `config.json` that it names: a path relative to that file, or a folder that contains one. Both files are
/// at most a mebibyte; the model's must be a regular file. Fails as the parsers do; errors about the model's
/// file begin with its name.
Result<RunShape> loadRunShape(const std::string& path);

} // namespace highwater
