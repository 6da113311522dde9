// The only compilation of {fmt}. Debian ships {fmt} as headers and as a shared library; used as headers
// alone, every source that formats a text would compile the library again.
#include <fmt/format-inl.h>

// <fmt/format.h> declares these `extern`, so this source is the only one that instantiates them.
template fmt::detail::thousands_sep_result<char> fmt::detail::thousands_sep_impl<char>(
    fmt::detail::locale_ref);
template char fmt::detail::decimal_point_impl<char>(fmt::detail::locale_ref);
#if FMT_VERSION < 90000  // Ubuntu 22.04
template int fmt::detail::format_float<double>(double, int, fmt::detail::float_specs,
                                               fmt::detail::buffer<char>&);
template int fmt::detail::format_float<long double>(long double, int, fmt::detail::float_specs,
                                                    fmt::detail::buffer<char>&);
template int fmt::detail::snprintf_float<double>(double, int, fmt::detail::float_specs,
                                                 fmt::detail::buffer<char>&);
template int fmt::detail::snprintf_float<long double>(long double, int, fmt::detail::float_specs,
                                                      fmt::detail::buffer<char>&);
#elif FMT_VERSION >= 100000  // Debian 13
template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char>&, fmt::string_view, fmt::format_args,
                                            fmt::detail::locale_ref);
#endif
