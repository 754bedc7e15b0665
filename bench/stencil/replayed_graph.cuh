// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/stream.hpp>
#include <teff/kernel/cuda_launch.cuh>

namespace teff::bench {

/// Launches that are enqueued once and then replayed together, by a CUDA graph.
class replayed_graph {
 public:
  /// @param enqueue launches kernels in the stream, and does nothing else there
  template <class Enqueue>
  replayed_graph(const stream& on, const Enqueue& enqueue) : on_(on) {
    const runtime::cuda::current_device here(on.dev().ordinal());
    cudaGraph_t graph = nullptr;
    TEFF_CHECK(cudaStreamBeginCapture(native(), cudaStreamCaptureModeThreadLocal));
    enqueue();
    TEFF_CHECK(cudaStreamEndCapture(native(), &graph));
    const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    TEFF_CHECK(made);
  }
  ~replayed_graph() { cudaGraphExecDestroy(graph_); }
  replayed_graph(replayed_graph&&) = delete;
  replayed_graph& operator=(replayed_graph&&) = delete;

  void launch() {
    const runtime::cuda::current_device here(on_.dev().ordinal());
    TEFF_CHECK(cudaGraphLaunch(graph_, native()));
  }

 private:
  cudaStream_t native() const { return static_cast<cudaStream_t>(on_.native()); }

  stream on_;
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace teff::bench
