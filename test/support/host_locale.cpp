// Loaded before the program by LD_PRELOAD: a host that sets its user's locale, in C and in C++, before anything else happens.
#include <clocale>
#include <cstdlib>
#include <locale>

namespace {

struct HostLocale {
  HostLocale() {
    if (!std::setlocale(LC_ALL, "")) std::abort();
    std::locale::global(std::locale(""));
  }
} const host_locale;

}  // namespace
