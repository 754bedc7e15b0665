// SPDX-License-Identifier: MIT
#include <utility>

#include <teff/array/array.hpp>
#include <teff/array/array_handle.hpp>
#include <teff/array/host_copy.hpp>

namespace teff::runtime {

const std::string& array_handle::name() const noexcept {
  static const std::string none;
  return label ? *label : none;
}
void array_handle::let_go() noexcept {
  block.reset();
}
void array_handle::exchange(array_handle& other) noexcept {
  std::swap(on, other.on);
  std::swap(block, other.block);
  std::swap(label, other.label);
}

std::string leaf_text(const array_handle& a) {
  return a.name().empty() ? "an array" : a.name();
}

std::string described(const any_array& a) {
  const std::string& name = a.handle->name();
  return (name.empty() ? "an array" : "array '" + name + "'") + " of " +
         extents_text(a.extent, a.rank) + " " + a.type;
}

std::string extents_text(const index_t* extent, int rank) {
  std::string text = std::to_string(extent[0]);
  for (int d = 1; d < rank; ++d) text += "x" + std::to_string(extent[d]);
  return text;
}

void throw_no_dim(const char* what, const any_array& a, int dim) {
  throw error(std::string(what) + ": " + described(a) + " has dims 0 to " +
              std::to_string(a.rank - 1) + ", asked for dim " + std::to_string(dim));
}

void throw_other_count(const any_array& target, index_t cells, index_t values) {
  throw error("from_host: " + described(target) + " takes " + std::to_string(cells) +
              " values, got " + std::to_string(values));
}

array_handle allocated(const stream& on, device place, const index_t* extent, int rank,
                       index_t cell_bytes, std::string label) {
  const index_t bytes = checked_bytes(extent, rank, cell_bytes, label);
  auto block = std::make_shared<memory_block>(on, place, static_cast<std::size_t>(bytes), label);
  auto shared_label =
      label.empty() ? nullptr : std::make_shared<const std::string>(std::move(label));
  return {on, std::move(block), std::move(shared_label)};
}

}  // namespace teff::runtime
