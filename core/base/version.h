#pragma once

namespace highwater {

/// Of this program, as the project's CMakeLists.txt has it: "1.0.0".
const char* programVersion();

} // namespace highwater
