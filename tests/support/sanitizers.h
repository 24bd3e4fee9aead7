#pragma once

namespace highwater::test {

/// Sanitizers have their own operator new, and reserve terabytes of addresses: no RLIMIT_AS leaves room for
/// that.
#ifdef HIGHWATER_SANITIZED
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

} // namespace highwater::test
