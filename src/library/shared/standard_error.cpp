// The variable that asmjit writes its assertions to in the shared library (cmake/library.cmake).
#include <cstdio>

extern "C" {
extern FILE* const armature_stderr;
FILE* const armature_stderr = stderr;
}
