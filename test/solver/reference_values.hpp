// SPDX-License-Identifier: MIT
// Written by record_reference.py: do not edit.
#pragma once

/// What the solvers gave when it was last recorded: 20 sampled values, the norm, the largest
/// magnitude.
namespace teff::test {

struct reference {
  const char* name;
  double numbers[22];
};

/// Why they were recorded anew.
inline constexpr const char* reference_reason =
    "First recording: diffusion in 1-D to 3-D, nonlinear diffusion, Poisson.";

inline constexpr reference reference_values[] = {
    {"diffusion1d f64, mixed",
     {0x1.5d1c601f6d1d5p-2, 0x1.1893ba9522ee4p-1, 0x1.2f6f9ca8c75e6p-1, 0x1.03f95910bcd77p-1,
      0x1.057e2bc9e8577p-1, 0x1.c0f49db3b0ba8p-2, 0x1.1ce7ea5916b95p-1, 0x1.22d4e664bfb36p-1,
      0x1.cf17837251caap-2, 0x1.2f03e48da8a6cp-1, 0x1.7e685c33513e1p-2, 0x1.2172f61cd0e78p-1,
      0x1.e8dfd880de07bp-2, 0x1.f65353d7119f4p-2, 0x1.ec281840cad92p-2, 0x1.236d9bfb260e1p-1,
      0x1.dad1e5e96447fp-2, 0x1.2893ff2687b83p-1, 0x1.716ba425f89a1p-2, 0x1.e48aef8c935cdp-2,
      0x1.fdc6586c546e9p+2, 0x1.63cc7a968afc1p-1}},
    {"diffusion2d f64, mixed",
     {0x1.ef324b04dc107p-2, 0x1.d9f64800cdf62p-2, 0x1.058d4b8565ff4p-1, 0x1.e22a316f1858dp-2,
      0x1.dcf15b1e25be7p-2, 0x1.fe8a286b3e3p-2, 0x1.f63bb118f601ep-2, 0x1.c822db752ef5ap-2,
      0x1.e92003a023a9fp-2, 0x1.fe310df9a2e6p-2, 0x1.cf71b22a9c22ap-2, 0x1.05ae97bee26eep-1,
      0x1.99ca1ef5da1dbp-3, 0x1.e1226ec054897p-2, 0x1.ff02f5291c911p-2, 0x1p-2,
      0x1.f8ad3b8e903d1p-2, 0x1.d72502cb43b38p-2, 0x1.f5206bdb896e5p-2, 0x1.f6c338af76814p-2,
      0x1.87d395475f2e9p+4, 0x1.e0c298cb267edp-1}},
    {"diffusion2d f32, periodic",
     {0x1.ef47dp-2, 0x1.da7132p-2, 0x1.079abp-1, 0x1.e22a32p-2,
      0x1.0b16a2p-1, 0x1.01ab5p-1, 0x1.f63c3p-2, 0x1.f42f54p-2,
      0x1.e92002p-2, 0x1.005078p-1, 0x1.ff3e3ap-2, 0x1.05ae9ap-1,
      0x1.e0776ap-2, 0x1.e12284p-2, 0x1.ff0e0cp-2, 0x1.084c0cp-1,
      0x1.f8b22ap-2, 0x1.f6d4d4p-2, 0x1.f53098p-2, 0x1.f6c34ap-2,
      0x1.9f1ecc5c7c486p+4, 0x1.1f58d6p-1}},
    {"diffusion2d f64, constant",
     {0x1.f4b382cada9dep-2, 0x1.e465ee824aeadp-2, 0x1.024b8308ec55ap-1, 0x1.e5b98d05d4e67p-2,
      0x1.d2e0015679fcdp-2, 0x1.00934a3b476fcp-1, 0x1.f6a1fd5f7af72p-2, 0x1.ba5654011507cp-2,
      0x1.e27f8e6153767p-2, 0x1.fa0f07721a892p-2, 0x1.fcb54f45d8f8cp-2, 0x1.062821697b19fp-1,
      0x1.7c68aa28bf69fp-1, 0x1.e00dabc7e6209p-2, 0x1.0112b211e64a3p-1, 0x1.f167e22867f98p-3,
      0x1.fc34c1e76ab5cp-2, 0x1.0695aefb82b2dp-1, 0x1.fca8c5fe9e5d6p-2, 0x1.f773c75a582fep-2,
      0x1.a5bdc4063c893p+4, 0x1.feac80615dd5ep-1}},
    {"diffusion3d f64, mixed",
     {0x1.f96c027d2f81p-2, 0x1.0117658c8edcfp-1, 0x1.f09ecda5d06b5p-2, 0x1.0eb5aa19ee052p-2,
      0x1.f295299019297p-2, 0x1.13a03d18dcfd2p-1, 0x1.38880a00c80d3p-1, 0x1.1de80be236febp-2,
      0x1.eaaa2a9dab557p-2, 0x1.e73c01e5122bfp-2, 0x1.f345633d1be25p-1, 0x1.ed4d0f4916034p-2,
      0x1.05f5740f52a14p-1, 0x1.1e99d87077345p-1, 0x1.67ab02827d27ap-2, 0x1.7e2cbf265ff7bp-2,
      0x1.e81fde96a1f3bp-2, 0x1.f3c006e41fa17p-2, 0x1.8db83f9b931d6p-2, 0x1.d0d2015de915cp-2,
      0x1.20d45b1d85b53p+5, 0x1.ff918ec86eb46p-1}},
    {"nonlinear_diffusion2d f64, 1 + T^2, harmonic",
     {0x1.a69cae19b2c55p-2, 0x1.0669ee1a8c67ap-1, 0x1.46d92762f223fp-1, 0x1.0c6ac57df5a03p-1,
      0x1p-2, 0x1.09f7b8de1d6eep-1, 0x1.21145af219ed3p-1, 0x1.2ec890aa37b56p-1,
      0x1.b69c217b5a137p-2, 0x1.4fa953ec631c5p-2, 0x1.3dabad36a107fp-1, 0x1.1be56220593b2p-1,
      0x1.22d1b99df195fp-1, 0x1.0a40fa253911dp-1, 0x1.b0580414d27dep-2, 0x1.23562e1e84078p-1,
      0x1.9939535051448p-2, 0x1.face17121172cp-2, 0x1.37cd8fcb91bfep-1, 0x1.f88a7157d2044p-2,
      0x1.1bf19154733eap+4, 0x1.4f4b1abc9592fp-1}},
    {"poisson2d f64, 12 iterations",
     {0x1.007529b721cd2p-1, 0x1.0043ad77f9a93p-1, 0x1.e57447e19ba28p-2, 0x1.02a233197b803p-1,
      0x1.714eb64183044p-3, 0x1.f2e76d546ffbfp-2, 0x1.e6cfd27ade4cep-2, 0x1.139d513167e5cp-1,
      0x1.fa00dd51fb438p-2, 0x1.126b5811fc928p-1, 0x1.e5a8287a09e88p-2, 0x1.c869f51d78718p-2,
      0x1.279c46647c9a1p-1, 0x1.f27c056fe92f9p-2, 0x1.fa1514b9d80c2p-2, 0x1.e097fcb346acdp-2,
      0x1.e5fb1d96ca521p-2, 0x1.377bbe486ca6ep-1, 0x1.01a846168e7e4p-1, 0x1.115bed550f41fp-1,
      0x1.b66e4ac35264bp+3, 0x1.fd5070c81adfp-1}},
};

}  // namespace teff::test
