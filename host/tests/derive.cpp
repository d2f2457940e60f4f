// SPDX-License-Identifier: Apache-2.0
//
// The constants that libperle derives for a modulus, from a board's registers and the parameters of its
// build: for perle/host/test_constants.py, which compares them with the families' models. No board is needed.
#include <algorithm>
#include <cstring>
#include <memory>

#include "board/modulus.hpp"

namespace {

std::string hex(const perle::Bn& value) {
  const std::unique_ptr<char, void (*)(char*)> text(BN_bn2hex(value.get()), [](char* p) { OPENSSL_free(p); });
  return text.get();
}

std::string derived(perle::Shape shape, const perle::Bn& m, const perle::ParameterSource& source) {
  const perle::Family& family = perle::family_of(shape.family_id);
  shape.parameter = family.read_parameter(shape, source);
  const perle::Modulus mod(shape, m, "m");
  std::string out = std::to_string(mod.r_exp()) + " " + std::to_string(family.product_cycles_limit(shape)) +
                    " " + hex(mod.bound()) + " " + hex(perle::Bn::from_words(mod.r2(), shape.word_bits));
  for (const perle::Words& line : mod.constants())
    out += " " + hex(perle::Bn::from_words(line, shape.word_bits));
  return out;
}

}  // namespace

// `said`: family, width, operand_bits, word_bits, const_count; `names` and `values`: the `count` parameters
// of the build. Writes "r_exp limit bound r2 m …", hexadecimal from the third on, or the error.
extern "C" __attribute__((visibility("default"))) perle_status
test_derive(const std::uint32_t* said, const char* const* names, const long* values, std::size_t count,
            const std::uint8_t* m, std::size_t m_len, char* out, std::size_t size) {
  const auto tell = [&](const std::string& text) { out[text.copy(out, size - 1)] = '\0'; };
  try {
    const perle::Shape shape{said[0], said[1], said[2], said[3], 4, said[4], 0};
    tell(derived(shape, perle::Bn(perle::ByteView(m, m_len)), [&](const char* name) {
      for (std::size_t i = 0; i < count; ++i)
        if (std::strcmp(names[i], name) == 0) return values[i];
      return -1L;
    }));
    return PERLE_OK;
  } catch (const perle::Error& error) {
    tell(error.what());
    return error.status();
  }
}
