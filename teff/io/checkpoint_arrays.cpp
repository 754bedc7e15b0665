// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/error.hpp>
#include <teff/io/checkpoint.hpp>

namespace teff::io {

namespace {

std::string described(const field_bytes& f) {
  return "'" + f.name + "' of " + extents_of(f.shape) + " " + f.type;
}
std::string described(const named_field& f) {
  return "'" + f.name + "' of " + extents_of(f.cells.shape()) + " " + f.cells.as_any().type;
}
template <class Fields>
std::string names_of(const Fields& fields) {
  std::string names;
  for (const auto& f : fields) names += (names.empty() ? "'" : ", '") + f.name + "'";
  return names.empty() ? "no field" : names;
}

void check_names(const std::string& path, const std::vector<named_field>& fields) {
  const auto refuse = [&](const std::string& why) {
    throw error("checkpoint '" + path + "': " + why);
  };
  if (fields.empty()) refuse("expected arrays with their names, got none");
  for (const named_field& f : fields) {
    if (f.name.empty()) refuse("an array has an empty name");
    if (!std::ranges::all_of(f.name, [](char c) { return c >= ' ' && c <= '~'; }))
      refuse("a name is plain ASCII, got '" + f.name + "'");
    if (std::ranges::count(fields, f.name, &named_field::name) > 1)
      refuse("two arrays are named '" + f.name + "'");
  }
}

}  // namespace

void write_checkpoint(const std::string& path, index_t step,
                      const std::vector<named_field>& fields) {
  check_names(path, fields);
  if (step < 0)
    throw error("checkpoint '" + path + "': expected 0 steps or more, got " + std::to_string(step));
  checkpoint state;
  state.step = step;
  for (const named_field& f : fields) state.fields.push_back(on_host(f));
  write_checkpoint(path, state);
}

index_t read_checkpoint(const std::string& path, const std::vector<named_field>& fields) {
  check_names(path, fields);
  checkpoint state = read_checkpoint(path);
  const std::string holds = "checkpoint '" + path + "' holds ";
  for (const named_field& f : fields) {
    const auto found = std::ranges::find(state.fields, f.name, &field_bytes::name);
    if (found == state.fields.end())
      throw error(holds + "no '" + f.name + "'; it holds " + names_of(state.fields));
    if (found->type != f.cells.as_any().type || found->shape != f.cells.shape())
      throw error(holds + described(*found) + ", which does not fit " + described(f));
  }
  if (state.fields.size() != fields.size())
    throw error(holds + names_of(state.fields) + ", and is read into " + names_of(fields) +
                " alone: a run that goes on needs all");
  for (const named_field& f : fields) {
    field_bytes& from = *std::ranges::find(state.fields, f.name, &field_bytes::name);
    if (from.type == "bool")  // any other byte is none that a bool may have
      for (char& cell : from.cells) cell = static_cast<char>(cell != 0);
    copy_from_host(f.cells, from.cells.data());
  }
  return state.step;
}

}  // namespace teff::io
