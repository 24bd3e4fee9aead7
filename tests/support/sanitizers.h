#pragma once

namespace highwater::test {

/// Built with the address or the thread sanitizer, which have their own operator new, and reserve terabytes
/// of addresses: no RLIMIT_AS leaves room for that.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
#else
constexpr bool kIsSanitized = false;
#endif

} // namespace highwater::test
