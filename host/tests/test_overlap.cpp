// SPDX-License-Identifier: Apache-2.0
//
// Results over inputs: modular arithmetic, RSA and batches. The rest is in test_overlap_handles.cpp; that no
// function of the public headers is left out, tests/test_host_headers.py looks after.
#include "overlap.hpp"

namespace {

using overlap::bytes_out;
using overlap::Call;
using overlap::cost;
using overlap::length;
using overlap::Part;
using overlap::Places;

Part number(const char* name, const Bn& value, std::size_t size) {
  const perle::Bytes raw = value.to_bytes(size);
  return {name, {raw.begin(), raw.end()}};
}

std::size_t* length_of(const Places& at) { return at.output<std::size_t>(1); }
perle_cost* cost_of(const Places& at) { return at.output<perle_cost>(2); }

constexpr std::size_t kSize = 64;  // bytes of key512's modulus
const Data kTooLarge(kSize, 0xFF);

perle_rsa_options options(int padding) {
  return {sizeof(perle_rsa_options), padding, nullptr, nullptr, 20, 0};
}

// The options of an operation, in a structure and two texts that it points to: inputs 1 to 3.
void add_options(Call& call, int padding) {
  call.inputs.push_back(overlap::structure("options", options(padding)));
  call.inputs.push_back(overlap::text("hash", "sha1"));
  call.inputs.push_back(overlap::text("mgf1_hash", "sha1"));
  call.compose = [](const Places& at) {
    at.input<perle_rsa_options>(1)->hash = at.input<char>(2);
    at.input<perle_rsa_options>(1)->mgf1_hash = at.input<char>(3);
  };
}
const perle_rsa_options* options_of(const Places& at) { return at.input<perle_rsa_options>(1); }

}  // namespace

TEST(overlap_modular_arithmetic) {
  const Bench bench({.width = 64});
  const Bn m = random_odd(64);
  const Mod mod(bench, m);
  const Part x = number("x", random_below(m), 8), y = number("y", random_below(m), 8);
  const Data large(8, 0xFF);
  const auto product = [&](const char* name, Multiply function, std::size_t size, const Data& spoilt) {
    overlap::check({name,
                    {x, y},
                    {bytes_out(size), length(), cost()},
                    [&](const Places& at) {
                      return function(bench.set, mod.mod, at.in[0], 8, at.in[1], 8, at.out[0], at.room,
                                      length_of(at), cost_of(at));
                    },
                    spoilt});
  };
  product("perle_montmul", perle_montmul, 11, {});
  product("perle_mulmod", perle_mulmod, 8, large);
  for (const perle_mode mode : {PERLE_MODE_WINDOW, PERLE_MODE_PAPER})
    overlap::check({"perle_modexp",
                    {x, {"e", {1, 2, 3}}},
                    {bytes_out(8), length(), cost()},
                    [&](const Places& at) {
                      return perle_modexp(bench.set, mod.mod, at.in[0], 8, at.in[1], 3, 0, mode, at.out[0],
                                          at.room, length_of(at), cost_of(at));
                    },
                    large});
}

TEST(overlap_rsa) {
  const Bench bench({.width = 512});
  const KeyPtr key = key512().load();
  const Part x = number("in", random_below(key512().n), kSize);
  overlap::check({"perle_rsa_private",
                  {x},
                  {bytes_out(kSize), length(), cost()},
                  [&](const Places& at) {
                    return perle_rsa_private(bench.set, key.get(), 0, at.in[0], kSize, at.out[0], at.room,
                                             length_of(at), cost_of(at));
                  },
                  kTooLarge});
  overlap::check({"perle_rsa_public",
                  {x},
                  {bytes_out(kSize), length(), cost()},
                  [&](const Places& at) {
                    return perle_rsa_public(bench.set, key.get(), at.in[0], kSize, at.out[0], at.room,
                                            length_of(at), cost_of(at));
                  },
                  kTooLarge});
}

TEST(overlap_signatures) {
  const Bench bench({.width = 512});
  const KeyPtr key = key512().load();
  const Part digest = {"digest", Data(20, 0x42)};
  Call sign{"perle_rsa_sign", {digest}, {bytes_out(kSize), length(), cost()}, {}, {}};
  add_options(sign, PERLE_PADDING_PKCS1);
  sign.run = [&](const Places& at) {
    return perle_rsa_sign(bench.set, key.get(), options_of(at), at.in[0], 20, at.out[0], at.room,
                          length_of(at), cost_of(at));
  };
  overlap::check(sign);

  Call encode{"perle_rsa_encode", {digest}, {bytes_out(kSize), length()}, {}, {}};
  add_options(encode, PERLE_PADDING_PKCS1);
  encode.run = [&](const Places& at) {
    return perle_rsa_encode(key.get(), options_of(at), at.in[0], 20, at.out[0], at.room, length_of(at));
  };
  overlap::check(encode);

  // A random salt: what it says is whether it verifies.
  Call pss = sign;
  pss.inputs[1] = overlap::structure("options", options(PERLE_PADDING_PSS));
  perle_rsa_options how = options(PERLE_PADDING_PSS);
  how.hash = "sha1";
  pss.meaning = [&](const Data& signature) -> Data {
    return {perle_rsa_verify(nullptr, key.get(), &how, digest.content.data(), 20, signature.data(), kSize,
                             nullptr) == PERLE_OK};
  };
  overlap::check(pss);

  Data signature(kSize);
  std::size_t size = 0;
  CHECK_EQ(perle_rsa_sign(bench.set, key.get(), &how, digest.content.data(), 20, signature.data(), kSize,
                          &size, nullptr),
           PERLE_OK);
  Call verify{"perle_rsa_verify", {{"signature", signature}}, {cost()}, {}, kTooLarge};
  add_options(verify, PERLE_PADDING_PSS);
  verify.inputs.push_back(digest);
  verify.run = [&](const Places& at) {
    return perle_rsa_verify(bench.set, key.get(), options_of(at), at.in[4], 20, at.in[0], kSize,
                            at.output<perle_cost>(0));
  };
  overlap::check(verify);
}

TEST(overlap_encryption) {
  const Bench bench({.width = 512});
  const KeyPtr key = key512().load();
  const Part message = {"in", Data(22, 0x17)};
  perle_rsa_options how = options(PERLE_PADDING_OAEP);
  how.hash = "sha1";
  const auto decrypted = [&](const Data& ciphertext) {
    Data out(kSize);
    std::size_t size = 0;
    CHECK_EQ(perle_rsa_decrypt(bench.set, key.get(), &how, ciphertext.data(), kSize, out.data(), kSize, &size,
                               nullptr),
             PERLE_OK);
    out.resize(size);
    return out;
  };
  Call encrypt{"perle_rsa_encrypt", {message}, {bytes_out(kSize), length(), cost()}, {}, {}, {}, decrypted};
  add_options(encrypt, PERLE_PADDING_OAEP);
  encrypt.run = [&](const Places& at) {
    return perle_rsa_encrypt(bench.set, key.get(), options_of(at), at.in[0], 22, at.out[0], at.room,
                             length_of(at), cost_of(at));
  };
  overlap::check(encrypt);

  Data ciphertext(kSize);
  std::size_t size = 0;
  CHECK_EQ(perle_rsa_encrypt(nullptr, key.get(), &how, message.content.data(), 22, ciphertext.data(), kSize,
                             &size, nullptr),
           PERLE_OK);
  Call decrypt{
      "perle_rsa_decrypt", {{"in", ciphertext}}, {bytes_out(kSize), length(), cost()}, {}, kTooLarge};
  add_options(decrypt, PERLE_PADDING_OAEP);
  decrypt.run = [&](const Places& at) {
    return perle_rsa_decrypt(bench.set, key.get(), options_of(at), at.in[0], kSize, at.out[0], at.room,
                             length_of(at), cost_of(at));
  };
  overlap::check(decrypt);
}

// The input is read when the operation is taken, and the result is all zero until it is reported.
TEST(overlap_batches) {
  const Bench bench({.width = 256}, 2);
  const KeyPtr key = key512().load();
  perle_batch* batch = nullptr;
  CHECK_EQ(perle_batch_open(bench.set, 4, &batch), PERLE_OK);
  overlap::check({"perle_batch_submit",
                  {number("in", random_below(key512().n), kSize)},
                  {bytes_out(kSize)},
                  [&](const Places& at) {
                    const perle_status taken =
                        perle_batch_submit(batch, key.get(), 0, at.in[0], kSize, at.out[0], at.room, 7);
                    CHECK(Data(at.out[0], at.out[0] + at.room) == Data(at.room));
                    if (taken != PERLE_OK) return taken;
                    perle_batch_done done{};
                    std::size_t count = 0;
                    CHECK_EQ(perle_batch_poll(batch, 60'000, &done, 1, &count), PERLE_OK);
                    CHECK(count == 1 && done.tag == 7);
                    return static_cast<perle_status>(done.status);
                  },
                  kTooLarge});
  perle_batch_close(batch);
}
