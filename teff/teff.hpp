// SPDX-License-Identifier: MIT
#pragma once

/// All of Teff that a program of arrays and time steps needs; for examples and quick starts.

#include <teff/algo/copy.hpp>
#include <teff/algo/fill.hpp>
#include <teff/algo/gemv.hpp>
#include <teff/algo/matmul.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/scan.hpp>
#include <teff/algo/segmented.hpp>
#include <teff/algo/transpose.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/expr/statement.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/formula/residual.hpp>
#include <teff/grid/explain.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_random.hpp>
#include <teff/grid/grid_reduce.hpp>
#include <teff/grid/iterate.hpp>
#include <teff/kernel/assert.hpp>
#include <teff/kernel/block.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/stencil/explain.hpp>
#include <teff/stencil/iterate.hpp>
