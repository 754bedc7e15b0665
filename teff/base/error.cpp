// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <teff/base/error.hpp>

namespace teff {

int edit_distance(const std::string& a, const std::string& b) {
  // of the first i letters of a from the first j of b
  std::vector<std::vector<int>> distance(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      int& here = distance[i][j];
      here = static_cast<int>(i + j);  // where one of them is empty
      if (i == 0 || j == 0) continue;
      here = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1,
                       distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        here = std::min(here, distance[i - 2][j - 2] + 1);
    }
  return distance[a.size()][b.size()];
}

}  // namespace teff
