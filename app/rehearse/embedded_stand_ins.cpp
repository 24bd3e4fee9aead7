#include "app/rehearse/embedded_stand_ins.h"

// The library is embedded so that the program is one file, which can be copied to a cluster's node.
__asm__(".section .rodata\n"
        ".global highwaterStandInsBegin\n"
        ".global highwaterStandInsEnd\n"
        "highwaterStandInsBegin:\n"
        ".incbin \"" HIGHWATER_STAND_INS "\"\n"
        "highwaterStandInsEnd:\n"
        ".byte 0\n"
        ".previous\n");

extern "C" {
extern const char highwaterStandInsBegin[];
extern const char highwaterStandInsEnd[];
}

namespace highwater::rehearse {

std::string_view embeddedStandIns()
{
    return {highwaterStandInsBegin, static_cast<std::size_t>(highwaterStandInsEnd - highwaterStandInsBegin)};
}

} // namespace highwater::rehearse
