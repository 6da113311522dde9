#pragma once

#if defined(__x86_64__)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // caused by the intrinsics of g++ 12
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/// Compiles a function for the processors of one set.
#define PARQPROOF_AVX2 __attribute__((target("avx2")))
#define PARQPROOF_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))

#endif
