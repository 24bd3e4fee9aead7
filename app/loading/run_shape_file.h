#pragma once

#include <string>

#include "core/base/result.h"
#include "core/run/run_shape.h"

namespace highwater {

/// Reads a run's configuration as numbers (`parseRunShape`) from a JSON or YAML file, together with the
/// model's file if the configuration names one, by its path or that of the folder with its `config.json`. A
/// relative path begins at the configuration's folder. Both files are at most a mebibyte; the model's must be
/// a regular file. Fails as the parsers do; errors about the model's file begin with its name.
Result<RunShape> loadRunShape(const std::string& path);

} // namespace highwater
