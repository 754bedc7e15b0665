// The same program, compiled as CUDA: arrays of a GPU, where there is one.
#include "rod.cpp"
