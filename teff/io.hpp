// SPDX-License-Identifier: MIT
#pragma once

/// Files and pictures of arrays, for programs that link teff::io. docs/files_and_pictures.md shows
/// them.

#include <teff/io/checkpoint.hpp>
#include <teff/io/grid_checkpoint.hpp>
#include <teff/io/grid_npy.hpp>
#include <teff/io/npy.hpp>
#include <teff/io/png.hpp>
#include <teff/io/pvti.hpp>
#include <teff/io/reference.hpp>
#include <teff/io/vti.hpp>
