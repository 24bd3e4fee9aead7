#pragma once

#include <random>

#include "core/run/workspace_file.h"

namespace highwater::test {

/// Return any notes and workspaces that the types allow, with all sorts of texts.
Notes randomNotes(std::mt19937& random);
WorkspaceFile randomWorkspace(std::mt19937& random);

} // namespace highwater::test
