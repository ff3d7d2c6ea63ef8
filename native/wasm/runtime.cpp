// Functions that the toolchain's library for this target lacks.
#include <cstdlib>
#include <new>

// There is only one thread, and it never ends.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

// Throws if memory runs out; the library's own `operator new` ends the program.
void* operator new(std::size_t size) {
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
