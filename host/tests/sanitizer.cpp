// SPDX-License-Identifier: Apache-2.0
//
// Options of the address sanitizer for programs that open boards as shared objects. Up to GCC 13 it takes a
// block of thread-local memory 16 bytes into a page for one of glibc before 2.25, where length and place
// stood before the block; its search for leaks at the end then reads wherever those point:
// github.com/google/sanitizers/issues/1322.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "intercept_tls_get_addr=0";
}
