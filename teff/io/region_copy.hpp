// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/region.hpp>
#include <teff/base/stream.hpp>

/// Copies of cells of any strides, of which only bytes and places are known: what files need. A
/// region has as many cells along each dim as the one that it is copied to.
namespace teff::io {

/// As many cells as `like` has, at `first`, one after the other, x first.
region packed_at(const void* first, const region& like);

/// True if the cells lie one after the other, x first.
bool is_packed(const region& r);

/// Both on the host.
void copy_cells(const region& to, const region& from);

/// From a GPU to the host: in one piece with what lies between the cells, if that is little, else
/// part by part. @sync waits
void fetch_cells(const stream& on, const region& to, const region& from);

/// From the host to a GPU: nothing between the cells is written, so part by part. @sync waits
void send_cells(const stream& on, const region& to, const region& from);

}  // namespace teff::io
