#pragma once

namespace highwater::test {

/// Sanitizers have their own operator new and reserve terabytes of address space, so RLIMIT_AS cannot be
/// used.
#ifdef HIGHWATER_SANITIZED
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

} // namespace highwater::test
