// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include <teff/base/error.hpp>
#include <teff/io/checkpoint_format.hpp>
#include <teff/io/grid_checkpoint.hpp>
#include <teff/io/shared_file.hpp>

namespace teff::io {

namespace {

std::string described(const field_bytes& f) {
  return "'" + f.name + "' of " + extents_of(f.shape) + " " + f.type;
}
std::string described(const named_field& f) {
  return "'" + f.name + "' of " + extents_of(f.cells.shape()) + " " + f.cells.as_any().type;
}
std::string described(const named_grid_field& f) {
  return "'" + f.name + "' of " + extents_of(f.cells.shape()) + " " + f.cells.type();
}
std::string type_of(const any_field& f) {
  return f.as_any().type;
}
std::string type_of(const grid_field& f) {
  return f.type();
}
template <class Fields>
std::string names_of(const Fields& fields) {
  std::string names;
  for (const auto& f : fields) names += (names.empty() ? "'" : ", '") + f.name + "'";
  return names.empty() ? "no field" : names;
}

template <class Named>
void check_names(const std::string& path, const std::vector<Named>& fields) {
  const auto refuse = [&](const std::string& why) {
    throw error("checkpoint '" + path + "': " + why);
  };
  if (fields.empty()) refuse("expected arrays with their names, got none");
  for (const Named& f : fields) {
    if (f.name.empty()) refuse("an array has an empty name");
    if (!std::ranges::all_of(f.name, [](char c) { return c >= ' ' && c <= '~'; }))
      refuse("a name is plain ASCII, got '" + f.name + "'");
    if (std::ranges::count(fields, f.name, &Named::name) > 1)
      refuse("two arrays are named '" + f.name + "'");
  }
}
void check_step(const std::string& path, index_t step) {
  if (step < 0)
    throw error("checkpoint '" + path + "': expected 0 steps or more, got " + std::to_string(step));
}

/// What the file holds is what it is read into.
template <class Named>
void check_fit(const std::string& path, const checkpoint& state, const std::vector<Named>& fields) {
  const std::string holds = "checkpoint '" + path + "' holds ";
  for (const Named& f : fields) {
    const auto found = std::ranges::find(state.fields, f.name, &field_bytes::name);
    if (found == state.fields.end())
      throw error(holds + "no '" + f.name + "'; it holds " + names_of(state.fields));
    if (found->type != type_of(f.cells) || found->shape != f.cells.shape())
      throw error(holds + described(*found) + ", which does not fit " + described(f));
  }
  if (state.fields.size() != fields.size())
    throw error(holds + names_of(state.fields) + ", and is read into " + names_of(fields) +
                " alone: a run that goes on needs all");
}

/// Any other byte is none that a bool may have.
void to_truths(char* cells, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) cells[i] = static_cast<char>(cells[i] != 0);
}

}  // namespace

void write_checkpoint(const std::string& path, index_t step,
                      const std::vector<named_field>& fields) {
  check_names(path, fields);
  check_step(path, step);
  checkpoint state;
  state.step = step;
  for (const named_field& f : fields) state.fields.push_back(on_host(f));
  write_checkpoint(path, state);
}

index_t read_checkpoint(const std::string& path, const std::vector<named_field>& fields) {
  check_names(path, fields);
  checkpoint state = read_checkpoint(path);
  check_fit(path, state, fields);
  for (const named_field& f : fields) {
    field_bytes& from = *std::ranges::find(state.fields, f.name, &field_bytes::name);
    if (from.type == "bool") to_truths(from.cells.data(), from.cells.size());
    copy_from_host(f.cells, from.cells.data());
  }
  return state.step;
}

// ---- of grids

namespace {

/// All ranks must do the same. @param what "write_checkpoint"
void check_alike(const std::string& what, const std::string& step,
                 const std::vector<named_grid_field>& fields) {
  if (fields.empty()) throw error(what + ": expected grid arrays with their names, got none");
  const grid_field& first = fields.front().cells;
  std::string text = step;
  for (const named_grid_field& f : fields) {
    if (&f.cells.grid() != &first.grid())
      runtime::throw_other_grid(first.described(), f.cells.described());
    text += (text.empty() ? "" : ", ") + described(f);
  }
  runtime::require_same(first.on(), what, "the checkpoint", text);
}

/// A file of the present format whose header was read, by all ranks of a grid.
class shared_checkpoint {
 public:
  shared_checkpoint(shared_input& in, const checkpoint_head& head, const ranks& on)
      : in_(in), head_(head), on_(on) {}

  /// Every rank looks at its blocks of all fields. Collective.
  void check() {
    checksum sum = head_.sum;
    std::string values;
    for (std::size_t i = 0; i < head_.fields.size(); ++i) {
      const field_place& place = head_.fields[i];
      const std::vector<checksum> sums = sums_of(i, sum);
      const auto [begin, end] =
          share_of(place.bytes, {.unit = checkpoint_block}, on_.rank(), on_.count());
      for (auto at = static_cast<std::size_t>(begin); at < static_cast<std::size_t>(end);
           at += checkpoint_block) {
        values.resize(std::min(checkpoint_block, static_cast<std::size_t>(end) - at));
        read(i, sums, at, values.data(), values.size());
      }
    }
    in_.check();
  }

  /// To the fields. Collective.
  void read_into(const std::vector<named_grid_field>& fields) {
    checksum sum = head_.sum;
    for (std::size_t i = 0; i < head_.fields.size(); ++i) {
      const std::vector<checksum> sums = sums_of(i, sum);
      const std::string& name = head_.state.fields[i].name;
      const grid_field& to = std::ranges::find(fields, name, &named_grid_field::name)->cells;
      take_shares(to, {.unit = checkpoint_block}, cells_order::first_index,
                  [&](std::size_t at, std::byte* cells, std::size_t bytes) {
                    read(i, sums, at, reinterpret_cast<char*>(cells), bytes);
                    if (to.type() == "bool") to_truths(reinterpret_cast<char*>(cells), bytes);
                  });
    }
    in_.check();
  }

 private:
  std::vector<checksum> sums_of(std::size_t field, checksum& before) {
    const field_place& place = head_.fields[field];
    std::string bytes(place.end() - place.sums_at(), '\0');
    in_.read(place.sums_at(), bytes.data(), bytes.size());
    try {
      return sums_from(bytes, before, head_.state.fields[field], place, in_.path());
    } catch (const error& e) {
      in_.note(e.what());
      return std::vector<checksum>(place.blocks());
    }
  }
  /// Some whole blocks, and looks at them.
  void read(std::size_t field, const std::vector<checksum>& sums, std::size_t at, char* values,
            std::size_t bytes) {
    const field_place& place = head_.fields[field];
    in_.read(place.at + at, values, bytes);
    try {
      for (std::size_t from = 0; from < bytes; from += checkpoint_block) {
        const std::size_t block = (at + from) / checkpoint_block;
        check_block({values + from, std::min(checkpoint_block, bytes - from)}, sums[block], block,
                    head_.state.fields[field], place, in_.path());
      }
    } catch (const error& e) {
      in_.note(e.what());
    }
  }

  shared_input& in_;
  const checkpoint_head& head_;
  const ranks& on_;
};

/// One of an earlier format, whose sums are of whole fields: the root alone reads it.
void read_old(const std::string& path, shared_input& in, const checkpoint_head& head,
              const std::vector<named_grid_field>& fields) {
  checkpoint all;
  try {
    if (fields.front().cells.on().is_root()) all = read_checkpoint(path);
  } catch (const error& e) {
    in.note(e.what());
  }
  in.check();
  for (std::size_t i = 0; i < head.state.fields.size(); ++i) {
    const std::string& name = head.state.fields[i].name;
    const grid_field& to = std::ranges::find(fields, name, &named_grid_field::name)->cells;
    take_shares(to, {.are_all_of_root = true}, cells_order::first_index,
                [&](std::size_t at, std::byte* cells, std::size_t bytes) {
                  std::memcpy(cells, &all.fields[i].cells[at], bytes);
                  if (to.type() == "bool") to_truths(reinterpret_cast<char*>(cells), bytes);
                });
  }
}

std::vector<named_field> own_cells_of(const std::vector<named_grid_field>& fields) {
  std::vector<named_field> own;
  for (const named_grid_field& f : fields) own.push_back({f.name, f.cells.own()});
  return own;
}

}  // namespace

void write_checkpoint(const std::string& path, index_t step,
                      const std::vector<named_grid_field>& fields) {
  check_alike("write_checkpoint", "step " + std::to_string(step), fields);
  check_names(path, fields);
  check_step(path, step);
  const runtime::grid_state& grid = fields.front().cells.grid();
  if (grid.is_whole()) return write_checkpoint(path, step, own_cells_of(fields));
  checkpoint state;
  state.step = step;
  for (const named_grid_field& f : fields)
    state.fields.push_back({f.name, f.cells.type(), f.cells.shape(), {}});
  const std::string header = checkpoint_header(state);
  const std::vector<field_place> places = places_of(state.fields, header.size());
  checksum sum = 0;
  std::memcpy(&sum, &header[header.size() - sizeof sum], sizeof sum);
  shared_output out(grid.on, path);
  if (grid.on.is_root()) out.write(0, header.data(), header.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::vector<checksum> mine, all;
    give_shares(fields[i].cells, {.unit = checkpoint_block},
                [&](std::size_t at, const std::byte* cells, std::size_t bytes) {
                  const std::string_view values(reinterpret_cast<const char*>(cells), bytes);
                  out.write(places[i].at + at, cells, bytes);
                  for (std::size_t block = 0; block < bytes; block += checkpoint_block)
                    mine.push_back(sum_of_block(values.substr(block, checkpoint_block)));
                });
    const auto of_ranks = grid.on.through().all_gather("write_checkpoint", mine.data(),
                                                       mine.size() * sizeof(checksum));
    for (const std::vector<std::byte>& one : *of_ranks) {
      const std::size_t before = all.size();
      all.resize(before + one.size() / sizeof(checksum));
      if (!one.empty()) std::memcpy(&all[before], one.data(), one.size());
    }
    sum = sum_of_field(sum, all);
    all.push_back(sum);
    if (grid.on.is_root()) out.write(places[i].sums_at(), all.data(), all.size() * sizeof sum);
  }
  out.finish();
}

index_t read_checkpoint(const std::string& path, const std::vector<named_grid_field>& fields) {
  check_alike("read_checkpoint", "", fields);
  check_names(path, fields);
  const runtime::grid_state& grid = fields.front().cells.grid();
  if (grid.is_whole()) return read_checkpoint(path, own_cells_of(fields));
  shared_input in(grid.on, path);
  checkpoint_head head;
  try {
    std::string bytes(std::min<std::uint64_t>(in.bytes(), checkpoint_start_bytes), '\0');
    in.read(0, bytes.data(), bytes.size());
    bytes.resize(header_bytes_of(bytes, in.bytes(), path));
    in.read(0, bytes.data(), bytes.size());
    head = head_from(bytes, in.bytes(), path);
    check_fit(path, head.state, fields);
  } catch (const error& e) {
    in.note(e.what());
  }
  in.check();
  if (head.format < 4) {
    read_old(path, in, head, fields);
  } else {
    shared_checkpoint file(in, head, grid.on);
    file.check();
    file.read_into(fields);
  }
  return head.state.step;
}

}  // namespace teff::io
