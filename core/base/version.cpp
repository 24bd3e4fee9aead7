#include "core/base/version.h"

namespace highwater {

const char* programVersion()
{
    return HIGHWATER_VERSION;
}

} // namespace highwater
