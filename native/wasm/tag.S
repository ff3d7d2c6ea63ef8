    # What C++ throws; the linker takes it for the tag of all of its exceptions.
    .globl __cpp_exception
    .tagtype __cpp_exception i32
__cpp_exception:
