#pragma once

#include <random>

#include "core/run/workspace_file.h"

namespace highwater::test {

/// Any notes and workspaces that the types allow, with texts of all sorts in them.
Notes randomNotes(std::mt19937& random);
WorkspaceFile randomWorkspace(std::mt19937& random);

} // namespace highwater::test
